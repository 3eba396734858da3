/* SPDX-License-Identifier: MIT */
/* A program whose shared library is the one that uses quern. */
int first_use(int argc, char **argv);

int main(int argc, char **argv)
{
    return first_use(argc, argv);
}
