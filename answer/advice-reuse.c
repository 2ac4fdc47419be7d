#include "answer/advice-access.h"
void ps_advice_reuse(PsAdvicePlan *plan) {(void)plan;}
