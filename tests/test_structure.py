# SPDX-License-Identifier: MIT
"""The structure of the tree and of the objects: who includes whom, which symbols and instructions there are.

usage: test_structure.py SOURCE BUILD COMPILER NM
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE, BUILD, COMPILER, NM = (Path(p) for p in sys.argv[1:5])
SANITIZED = os.environ.get("QUERN_TEST_SANITIZED") == "1"
VARIANTS = ["scalar", "swar", "sse42", "avx2", "avx512", "neon"]
STACK_LIMIT = 4096


def run(*command):
    return subprocess.run([str(c) for c in command], check=True, text=True, stdout=subprocess.PIPE).stdout


def sources(*folders):
    for folder in folders:
        for path in sorted((SOURCE / folder).rglob("*")):
            if path.suffix in (".c", ".h", ".def"):
                yield path


def compilations():
    """(name of the source below the top of the tree, object, command) of each object of the library."""
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        source = Path(entry["file"]).resolve()
        if "/src/" in str(source) or "/dispatch/" in str(source):
            name = str(source.relative_to(SOURCE.resolve()))
            yield name, Path(entry["directory"]) / re.search(r" -o (\S+)", entry["command"])[1], entry["command"]


def is_emulated(path):
    """Whether the object is of a row on SIMDe, which a build with QUERN_EMULATE has besides the others."""
    return re.search(r"quern_\w+_emulated\.dir", str(path)) is not None


def objects():
    """The library's objects, by the name of their source; not those of emulated rows."""
    return {name: path for name, path, _ in compilations() if not is_emulated(path)}


def is_x86_64(path):
    head = path.read_bytes()[:20]
    return head[:5] == b"\x7fELF\x02" and head[18:20] == b"\x3e\x00"


def needs_disassembly(test):
    """Skips the test where the objects cannot be taken apart, or the user's flags let every object hold what the machine has."""
    if not shutil.which("objdump") or not all(map(is_x86_64, objects().values())):
        test.skipTest("needs objdump, and objects for x86-64")
    flags = {flag for _, _, command in compilations() for flag in re.findall(r" -march=\S+", command)}
    if flags:
        test.skipTest(f"every object is built with{', '.join(flags)}")


class Layers(unittest.TestCase):
    """Data flows one way: each folder includes only what stands below it."""

    # folder: what its #include "…" and #include <quern/…> may name
    ALLOWED = {
        "include/quern": [r"<quern/"],
        "src/common": [r"<quern/", r'"common/'],
        "src/kernels": [r'"common/', r'"kernels/'],
        **{f"src/{v}": [r'"common/', r'"kernels/', rf'"{v}/'] for v in VARIANTS},
        "dispatch": [r"<quern/", r'"common/', r'"dispatch/'],
        "src/style": [r"<quern/", r'"common/', r'"style/'],
        "src/sink": [r"<quern/", r'"common/', r'"dispatch/table.h"', r'"sink/'],
        "src/number": [r"<quern/", r'"common/', r'"number/'],
        "src/json": [r"<quern/", r'"common/', r'"dispatch/table.h"', r'"number/(number|integer).h"', r'"json/'],
        "src/cbor": [r"<quern/", r'"common/', r'"dispatch/table.h"', r'"cbor/'],
        "cli": [r"<quern/", r'"cli.h"'],
        "bench": [r"<quern/", r'"[a-z_]+\.h"'],
        "examples": [r"<quern/"],
    }
    INTRINSICS = {"sse42": "<nmmintrin.h>", "avx2": "<immintrin.h>", "avx512": "<immintrin.h>", "neon": "<arm_neon.h>"}
    SIMDE = {"sse42": "<simde/x86/sse4.2.h>", "avx2": "<simde/x86/avx2.h>", "neon": "<simde/arm/neon.h>"}

    def test_who_includes_whom(self):
        checked = 0
        for folder, allowed in self.ALLOWED.items():
            for path in sources(folder):
                for line in path.read_text().splitlines():
                    include = re.match(r'\s*#\s*include\s+(["<].*[">])', line)
                    if not include or not re.match(r'"|<quern/', include[1]):
                        continue
                    checked += 1
                    self.assertTrue(any(re.match(a, include[1]) for a in allowed), f"{path}: {include[1]}")
        self.assertGreater(checked, 50)

    def test_intrinsics_stand_in_the_shims(self):
        for path in sources("src", "dispatch", "include"):
            for header in re.findall(r"#\s*include\s+(<[\w/]*(?:intrin|neon|simde)[\w/.]*\.h>)", path.read_text()):
                variant = path.parent.name
                shim = path.name == "vec.h" and header in (self.INTRINSICS.get(variant), self.SIMDE.get(variant))
                # What every x86-64 has needs no variant.
                baseline = (path.name, header) in (("cpu_x86.c", "<intrin.h>"), ("digits.h", "<emmintrin.h>"))
                self.assertTrue(shim or baseline, f"{path} includes {header}")

    def test_every_folder_is_covered(self):
        covered = set(self.ALLOWED) | {"src"}
        for path in sources("src", "dispatch", "include"):
            self.assertIn(str(path.parent.relative_to(SOURCE)), covered, path)


class Objects(unittest.TestCase):
    def test_symbols_carry_the_prefix(self):
        checked = 0
        for line in run(NM, "-g", "--defined-only", BUILD / "libquern.a").splitlines():
            parts = line.split()
            if len(parts) == 3 and not parts[2].startswith("__odr_asan"):
                checked += 1
                self.assertRegex(parts[2], r"^_?quern_", line)
                # What kernels of every variant read: constant, hidden in the shared library.
                if parts[2].lstrip("_") not in ("quern_style_minimum", "quern_style_table", "quern_escape_units",
                                                "quern_escape_shuffles"):
                    self.assertNotRegex(parts[1], r"[BDCGSi]", f"exported data or ifunc: {line}")
        self.assertGreater(checked, 60)

    def test_the_shared_library_exports_the_public_functions_alone(self):
        declared = set()
        for path in sources("include"):
            declared |= set(re.findall(r"^QUERN_API [^;(]*?(quern_\w+)\(", path.read_text(), re.M))
        flags = ["-gU"] if sys.platform == "darwin" else ["-D", "--defined-only"]
        library = BUILD / ("libquern.dylib" if sys.platform == "darwin" else "libquern.so")
        exported = {line.split()[-1].lstrip("_").split("@")[0] for line in run(NM, *flags, library).splitlines() if line.split()[1] in "TRDBi"}
        exported = {name for name in exported if not name.startswith("odr_asan")}
        self.assertEqual(exported, declared)

    @unittest.skipIf(SANITIZED, "sanitizers add imports of their own")
    def test_imports(self):
        """No locale, no environment but one variable, no printing: what the library asks the system for; errno in the fd sink alone."""
        allowed = {"memcpy", "memset", "memmove", "strcmp", "memcmp", "malloc", "realloc", "free", "fwrite", "fflush", "getenv",
                   "secure_getenv", "getauxval", "writev", "sendmsg", "errno_location", "error", "__assert_fail",
                   "__stack_chk_fail", "__assert_rtn", "_GLOBAL_OFFSET_TABLE_", "_tlv_bootstrap"}
        archive = run(NM, "-g", BUILD / "libquern.a")
        defined = set(re.findall(r" [TRDB] (\w+)", archive))
        imported = set(re.findall(r" U (\w+)", archive)) - defined
        self.assertLessEqual({name.lstrip("_") for name in imported}, {name.lstrip("_") for name in allowed})

    # Mnemonics above the x86-64 baseline, by the CPU bit that vouches for them. Not TZCNT: older processors run it as
    # BSF, which gives the same but for 0, and compilers write it for them too.
    EXTENSIONS = {
        "AVX": r"v[a-z]\S+",
        "AVX512": r"k(?:mov|or|xor|xnor|and|andn|not|add|test|ortest|shift[lr]|unpck)[bwdq]+",
        "SSE3": r"(?:addsub|hadd|hsub)p[sd]|lddqu|mov(?:ddup|shdup|sldup)|monitor|mwait|fisttp\S*",
        "SSSE3": r"pshufb|palignr|phadd(?:d|w|sw)|phsub(?:d|w|sw)|pmaddubsw|pmulhrsw|psign[bwd]|pabs[bwd]",
        "SSE41": r"blendv?p[sd]|pblendw|pblendvb|dpp[sd]|extractps|insertps|movntdqa|mpsadbw|packusdw|pcmpeqq|pextr[bdq]|phminposuw|"
                 r"pinsr[bdq]|pm(?:ax|in)(?:s[bd]|u[wd])|pmov[sz]x[bwd][wdq]|pmul(?:dq|ld)|ptest|round[ps][sd]",
        "SSE42": r"pcmpgtq|pcmp[ei]str[im]|crc32[bwlq]?",
        "POPCNT": r"popcnt[wlq]?",
        "BMI1": r"andn|bextr|blsi|blsmsk|blsr",
        "LZCNT": r"lzcnt[wlq]?",
        "BMI2": r"bzhi|mulx|pdep|pext|rorx|sarx|shlx|shrx",
        "PCLMULQDQ": r"v?pclmul\S+",
        "FMA": r"vfn?m(?:add|sub)\S*",
        "F16C": r"vcvt(?:ph2ps|ps2ph)",
        "AES": r"v?aes\S+",
        "SHA": r"sha(?:1|256)\S+",
        "GFNI": r"v?gf2p8\S+",
        "MOVBE": r"movbe\S*",
        "ADX": r"ad[co]x\S*",
        "XOP, TBM, SSE4A": r"vp(?:perm|cmov|rot|sha|shl)[bwdq]|(?:blc|t1mskc|tzmsk)\S*|extrq|insertq|movnts[sd]",
    }
    SSE42_MAY = {"SSE3", "SSSE3", "SSE41", "SSE42", "POPCNT"}
    AVX2_MAY = SSE42_MAY | {"AVX", "BMI1", "LZCNT", "PCLMULQDQ"}
    AVX512_MAY = AVX2_MAY | {"AVX512", "BMI2"}
    MAY = {"sse42": SSE42_MAY, "avx2": AVX2_MAY, "avx512": AVX512_MAY}

    def test_instructions(self):
        """Each object holds only what the CPU bits of its variant vouch for; what is in no variant's folder, only the baseline's."""
        needs_disassembly(self)
        of_mnemonic = {name: re.compile(pattern) for name, pattern in self.EXTENSIONS.items()}
        checked, seen = 0, {}
        for name, path in objects().items():
            variant = name.split("/")[1] if name.startswith("src/") else "baseline"
            may = self.MAY.get(variant, set())
            code = run("objdump", "-d", "--no-show-raw-insn", path)
            for line in set(re.findall(r"^ +[0-9a-f]+:\t(.*)", code, re.M)):
                checked += 1
                mnemonic = re.sub(r"^(?:(?:lock|rep|repz|repnz|bnd|notrack|data16|cs) )+", "", line).split()[0]
                used = {extension for extension, pattern in of_mnemonic.items() if pattern.fullmatch(mnemonic)}
                if re.search(r"%zmm|%k[0-7]|%[xy]mm(1[6-9]|2\d|3[01])", line):
                    used.add("AVX512")
                self.assertLessEqual(used, may, f"{name} ({variant}): {line}")
                seen.setdefault(variant, set()).update(used)
        self.assertGreater(checked, 3000)
        # The patterns do find what they look for.
        if not SANITIZED:
            self.assertLessEqual({"SSSE3"}, seen["sse42"])
            self.assertLessEqual({"AVX"}, seen["avx2"])
            self.assertLessEqual({"AVX", "AVX512", "BMI2"}, seen["avx512"])
        print(f"instructions checked: {checked}; " + ", ".join(f"{v}: {' '.join(sorted(s)) or '-'}" for v, s in seen.items()))

    @unittest.skipIf(SANITIZED, "sanitizers add code and calls")
    def test_scalar_and_swar_use_no_vectors(self):
        """They are what they say: no loop was vectorised. (Moving 16 bytes of a struct at once is no vector loop.)"""
        needs_disassembly(self)
        for name, path in objects().items():
            if name.startswith(("src/scalar/", "src/swar/")):
                code = run("objdump", "-d", "--no-show-raw-insn", path)
                # (A register that is emptied is no vector arithmetic either.)
                code = re.sub(r"\tpxor +(%xmm\d+),\1", "", code)
                for wrong in (r"\t(?:pcmp|padd|psub|pmin|pmax|punpck|pshuf|pand|por|pxor|pmovmskb)\S*",
                              r"call.*<(?:memcpy|memset|memmove|strlen)"):
                    self.assertEqual(re.findall(wrong, code), [], name)

    def test_simde_is_in_no_production_object(self):
        """The emulated rows are objects of their own, in a build with QUERN_EMULATE alone."""
        for name, path in objects().items():
            self.assertNotIn(b"simde", path.read_bytes(), name)
        emulated = [path for _, path, _ in compilations() if is_emulated(path)]
        wanted = re.search(r"^QUERN_EMULATE:BOOL=(ON|1|TRUE|YES)$", (BUILD / "CMakeCache.txt").read_text(), re.M | re.I)
        self.assertEqual(bool(emulated), bool(wanted))

    @unittest.skipIf(SANITIZED, "sanitizers widen frames")
    def test_stack(self):
        checked, largest = 0, (0, "")
        for path in objects().values():
            usage = path.with_suffix(".su")
            if not usage.exists():
                usage = Path(str(path) + ".su") if Path(str(path) + ".su").exists() else path.parent / (path.name[:-len(".o")] + ".su")
            if not usage.exists():
                continue
            for line in usage.read_text().splitlines():
                function, size, kind = line.rsplit("\t", 2)
                checked += 1
                largest = max(largest, (int(size), function))
                self.assertNotEqual(kind, "dynamic", line)
        if not checked:
            self.skipTest("the compiler writes no stack usage")
        self.assertGreater(checked, 60)
        self.assertLessEqual(largest[0], STACK_LIMIT, largest)
        print(f"stack: {checked} functions, the largest frame has {largest[0]} bytes: {largest[1]}")

    @unittest.skipIf(SANITIZED, "sanitizers add code and calls")
    def test_no_recursion(self):
        """No function of the library reaches itself by direct calls; so the frames above bound the stack."""
        needs_disassembly(self)
        calls = {}
        for path in objects().values():
            function = None
            for line in run("objdump", "-dr", "--no-show-raw-insn", path).splitlines():
                if start := re.match(r"[0-9a-f]+ <([^>]+)>:", line):
                    function = f"{path.name}:{start[1]}" if not start[1].startswith("quern_") else start[1]
                    calls.setdefault(function, set())
                elif target := re.search(r"R_X86_64_(?:PLT32|PC32)\s+(quern_\w+)", line):
                    calls[function].add(target[1])
                elif target := re.search(r"\tcall\s+[0-9a-f]+ <([^>+]+)>", line):
                    name = target[1]
                    calls[function].add(name if name.startswith("quern_") else f"{path.name}:{name}")
        done = set()

        def visit(function, above):
            self.assertNotIn(function, above, "recursion: " + " > ".join([*above, function]))
            if function not in done:
                for callee in calls.get(function, ()):
                    visit(callee, [*above, function])
                done.add(function)

        for function in list(calls):
            visit(function, [])
        self.assertGreater(len(calls), 60)


class Headers(unittest.TestCase):
    def test_each_header_compiles_alone(self):
        compilers = [([str(COMPILER)], "c", ["c11", "c17"])]
        cxx = {"gcc": "g++", "cc": "c++", "clang": "clang++"}.get(COMPILER.name)
        if cxx and shutil.which(cxx):
            compilers.append(([cxx], "c++", ["c++11", "c++20"]))
        else:
            print(f"skipped: no C++ compiler beside {COMPILER.name}")
        with tempfile.TemporaryDirectory() as work:
            for header in sorted((SOURCE / "include/quern").glob("*.h")):
                for command, language, standards in compilers:
                    for standard in standards:
                        source = Path(work) / "header.c"
                        source.write_text(f"#include <quern/{header.name}>\n#include <quern/{header.name}>\n")
                        subprocess.run([*command, "-x", language, f"-std={standard}", "-Wall", "-Wextra", "-Wconversion", "-Wshadow",
                                        "-Werror", "-pedantic", "-fsyntax-only", "-I", SOURCE / "include", source], check=True)

    def test_macros_carry_the_prefix(self):
        for header in sources("include"):
            for macro in re.findall(r"^#\s*define\s+(\w+)", header.read_text(), re.M):
                self.assertTrue(macro.startswith("QUERN_"), f"{header}: {macro}")


class Documents(unittest.TestCase):
    def test_examples_in_documents_are_the_files(self):
        """Each C block of the documents is, or is part of, a file in examples/, which the tests compile and run."""
        files = [re.sub(r"\s+", " ", p.read_text()) for p in sorted((SOURCE / "examples").glob("*.c"))]
        blocks = 0
        for path in [SOURCE / "README.md", SOURCE / "CONTRIBUTING.md", *sorted((SOURCE / "docs").glob("*.md"))]:
            for block in re.findall(r"^```c\n(.*?)^```", path.read_text(), re.M | re.S):
                blocks += 1
                self.assertTrue(any(re.sub(r"\s+", " ", block).strip() in f for f in files), f"{path}:\n{block}")
        self.assertGreater(blocks, 0)

    def test_links_lead_somewhere(self):
        for path in [*SOURCE.glob("*.md"), *SOURCE.glob("*/*.md")]:
            if "build" in path.parts:
                continue
            for link in re.findall(r"\]\(([^)#:]+)\)|src=\"([^\":]+)\"", path.read_text()):
                target = link[0] or link[1]
                self.assertTrue((path.parent / target).exists(), f"{path}: {target}")

    def test_the_changelog_knows_the_version(self):
        emulator = os.environ.get("QUERN_TEST_EMULATOR", "").split()
        version = run(*emulator, BUILD / "quern", "--version").split()[1] if (BUILD / "quern").exists() else None
        if version is None:
            self.skipTest("the command is not built")
        self.assertIn(f"[{version}]", (SOURCE / "CHANGELOG.md").read_text())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
