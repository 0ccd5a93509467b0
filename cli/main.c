#include <stdio.h>
#include "rls2/rls2.h"
int main(void) { printf("%s\n", rls2_version()); return 0; }
