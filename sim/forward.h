#ifndef PIPESIM_SIM_FORWARD_H
#define PIPESIM_SIM_FORWARD_H
typedef struct { int x; } PsForward;
#define ps_forward_init(a,b,c) (void)(a),(void)(c)
#define ps_forward_clear(a) (void)(a)
#define forward_check(a,b,c) (b)->event = PS_NO_EVENT
#endif
