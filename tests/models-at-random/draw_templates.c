#include "draw.h"

#define U3 "$n*cos(2*pi*$f*t), $n*cos(2*pi*$f*t - 2), $s"
/* A circuit around a converter that stands between the nodes in, 0 and o. */
#define CONVERTER(body)                                                                            \
  "<pwm name='@g' period='$q' duty='$d' phase='$[0|$t]' carrier='$[sawtooth|triangle]'/>"          \
  "<circuit name='@' gate='@g' u='24 + $s'><in name='gate'/><in name='u'/>"                        \
  "<voltage name='U' nodes='in 0' value='u'/>" body                                                \
  "<resistor name='Ro' nodes='o 0' R='$R'/><out name='v' from='x.v'/></circuit>"
#define SWITCHED "fidelity='$[switched|switched|switched|function|averaged]' gate='gate' "

const Template draw_templates[] = {
    /* discrete events */
    {8, "<generator name='@' first='$[0|$t]' period='$t' values='$n, $n, $n, $n, $n'/>", "!"},
    {3, "<generator name='@' period='$t' values='1, 2, $n' repeat='true'/>", "!"},
    {3,
     "<random_generator name='@' distribution='$[exponential|uniform]' mean='$t' minimum='$t/10'"
     " maximum='$t + $T' seed='$k'/>",
     "!"},
    {4, "<server name='@' time='$t' in='$e'/>", "!"},
    {3, "<drop_server name='@' time='$t' in='$e'/>", "!"},
    {3, "<delay name='@' time='$t' in='$e'/>", "!"},
    {4, "<delay name='@' time='$t' in='$s' initial='$n'/>", "."},
    {3, "<relay name='@' in='$e'/>", "!"},
    {5, "<counter name='@' in='$e' initial='$[0|1|$n]'/>", "."},
    {3, "<counter name='@' in='$e' reset='$e'/>", "."},
    {2,
     "<player name='@' ball='true' first='$t' delay='$t' in='@b'/>"
     "<player name='@b' delay='$t' in='@'/>",
     "! !b"},
    {2,
     "<place name='@' tokens='$k' in='@t' take='@u'/><place name='@p' time='$t' in='@u' take='@t'/>"
     "<transition name='@t' in='@p' time='$t'/><transition name='@u' in='@' time='$t'/>",
     ". p !t !u"},
    {2, "<transducer name='@' arr='$e' dep='$e'/>", ""},
    {2, "<sink name='@' in='$e'/>", ""},
    /* sources */
    {3, "<random name='@' distribution='$[uniform|normal|exponential]' period='$t' seed='$k'/>",
     "."},
    {1, "<clock name='@'/>", ""},
    {1, "<lever name='@' value='$n'/>", "."},
    {4, "<step name='@' from='$n' to='$n' at='$[0|$t|$t*3]'/>", "."},
    {4, "<pulse name='@' low='$n' high='$n' start='$t' end='$t + 2*$T'/>", "."},
    {4, "<ramp name='@' start='$t' duration='$t*3' height='$n' offset='$n'/>", "."},
    {5, "<square name='@' low='$n' high='$n' frequency='$f' duty='0.$k' start='$[0|$t]'/>", "."},
    {3, "<sawtooth name='@' low='-$p' high='$p' frequency='$f'/>", "."},
    {3, "<triangle name='@' low='-$p' high='$p' frequency='$f' start='$[0|$t]'/>", "."},
    {3, "<trapezoid name='@' low='$n' high='$n' rise='$[0|$t]' up='$t' fall='$t' down='$t'/>", "."},
    {6, "<sine name='@' amplitude='$n' frequency='$f' phase='$n' offset='$n'/>", "."},
    {3, "<three_phase name='@' amplitude='$p' frequency='$f' phase='$n'/>", ".a .b .c"},
    {6, "<pwm name='@' period='$q' duty='$d' phase='$[0|$t]' carrier='$[sawtooth|triangle]'/>",
     "."},
    {2, "<file_source name='@' path='wave.csv' column='$[a|b]' interpolation='$[linear|hold]'/>",
     "."},
    /* functions */
    {40, "<function name='@' formula='$s'/>", "."},
    {5, "<function name='@' formula='$s + 0.5*u - in2' u='$s' in2='$s'/>", "."},
    {5, "<function name='@' count='3' formula='$s + i*$n'/>", ".[1] .[2] .[3]"},
    {4, "<implicit name='@' formula='@ + 0.5*sin(@) - u' u='$s'/>", "."},
    {2,
     "<implicit name='@' unknowns='a, b' formula='a + 0.5*b - u, b - 0.3*tanh(a) - w' u='$s' w='$s'"
     " guess='0.1, $n'/>",
     ".out[1] .out[2]"},
    {6, "<sum name='@' in='$s, $s, $v' k='1, $n, $n'/>", "."},
    {4, "<gain name='@' in='$s' k='$n'/>", "."},
    {4, "<product name='@' in='$s, $v'/>", "."},
    {3, "<division name='@' in='$s' by='1 + abs($s)'/>", "."},
    {3, "<power name='@' in='$s' n='$[2|3]'/>", "."},
    {2, "<power name='@' in='0.1 + abs($s)' n='$[0.5|-1|1.5]'/>", "."},
    {4, "<lookup name='@' in='$s' x='-2, -1, 0, 1, 3' y='$n, $n, $n, $n, $n'/>", "."},
    {3,
     "<variable_delay name='@' in='$s' time='$t + $T*abs(limit($s, -1, 1))' maximum='3*$T'"
     " initial='$n'/>",
     "."},
    {3, "<constant name='@' value='$n'/>", "."},
    /* hybrid */
    {5, "<switch name='@' control='$s' on='$s' off='$s' level='$[0|0.5|$n]'/>", "."},
    {3, "<diode name='@' i='$s' ron='0.$k' roff='$k'/>", "."},
    {5, "<comparator name='@' in='$s' level='$[0|0.5|$n]' low='$n' high='$n'/>", "."},
    {5, "<hysteresis name='@' in='$s' lower='-0.$k' upper='0.$k' low='$n' high='$n'/>", "."},
    {5, "<saturation name='@' in='$s' lower='-$p' upper='$p'/>", "."},
    {4, "<dead_band name='@' in='$s' lower='-0.$k' upper='0.$k'/>", "."},
    {3, "<and name='@' in='$b, $b, $b'/>", "."},
    {3, "<or name='@' in='$b, $b'/>", "."},
    {3, "<not name='@' in='$b'/>", "."},
    {1, "<check_valve name='@' dp='$s' k='$p' crack='0.$k'/>", ".w"},
    {3, "<rate_limiter name='@' in='$s' falling='-$p/$T' rising='$p/$T'/>", "."},
    {6, "<crossing name='@' in='$s' level='$[0|0.5|$n]' direction='$[up|down|both]'/>", "!"},
    {4, "<quantizer name='@' in='$s' dq='0.$k' hysteresis='$[0|0.01]'/>", "."},
    {6, "<sample_hold name='@' in='$s' period='$t' start='$[0|$t]'/>", "."},
    {5, "<sampler name='@' in='$s' trigger='$e' initial='$n'/>", "."},
    {4, "<unit_delay name='@' in='$s' period='$t' initial='$n'/>", "."},
    {3, "<transfer_z name='@' in='$s' num='$n, $n' den='1, -0.$k' period='$t'/>", "."},
    {4, "<loop_breaker name='@' in='$s - 0.5*tanh(@)'/>", ".zc"},
    {2, "<loop_breaker name='@' in='$s - 0.4*@.out[2], 0.3*sin(@.out[1])' guess='0, $n'/>",
     ".zc[1] .zc[2]"},
    {4, "<on_delay name='@' in='$b' time='$t'/>", "."},
    /* continuous, beside the states that are declared first */
    {5, "<integrator name='@' in='($s - @)/$t' x0='$n'/>", "."},
    {1, "<limited_integrator name='@' in='($s - @.out)/$t' x0='0' lower='-$p' upper='$p'/>",
     ".out .high"},
    {4, "<integrator name='@' count='3' before='$v' in='(@[i-1] - @[i])/$t' x0='0.$k'/>",
     ".[1] .[3]"},
    {5, "<reset_integrator name='@' in='($s - @)/$t' reset='$e' value='$s' x0='$n'/>", "."},
    {3,
     "<reset_integrator name='@' in='1/$T' reset='@c' value='0'/>"
     "<crossing name='@c' in='@' level='$p' direction='up'/>",
     ". !c"},
    {4,
     "<reset_integrator name='@' in='-9.81/$T' x0='1' reset='@c' value='-0.8*@'/>"
     "<integrator name='@h' in='@/$T' x0='$p'/><crossing name='@c' in='@h' direction='down'/>",
     "h"},
    {1, "<stop name='@' in='$s' level='5'/>", ""},
    {5,
     "<window name='@' in='$s' width='$k*$T'"
     " what='$[integral|mean|rms|minimum|maximum|ripple|peak|cosine|sine]' every='$[0|$T/4|$T]'/>",
     "."},
    {4,
     "<equations name='@' u='$s'><in name='u'/><param name='w' value='$p/$T'/>"
     "<state name='x' derivative='w*y' x0='$n'/><state name='y' derivative='f - w*x - 0.$k*w*y'/>"
     "<function name='f' formula='w*limit(u, -1, 1)'/><out name='x'/><out name='z' from='x*y'/>"
     "</equations>",
     ".x .z"},
    /* control */
    {2,
     "<block type='control.integral' name='@' ki='$p/$T' kt='$[0|$p/$T]' lower='-1' upper='1'"
     " in='$s' back='-@.x*0.$k' period='$[0|$t]'/>",
     ".x"},
    {4,
     "<block type='control.pi' name='@' in='$s - @y' kp='$p' ki='$p/$T' lower='-$p' upper='$p'"
     " antiwindup='$[clamping|back_calculation|none]' period='$[0|0|$t]'/>"
     "<integrator name='@y' in='(@.out - @y)/$t'/>",
     ".out .u y"},
    {3,
     "<block type='control.pid' name='@' in='$s - @y' kp='$p' ki='$p/$T' kd='0.$k*$T'"
     " filter='$t/5' lower='-$p' upper='$p' antiwindup='$[clamping|back_calculation]'/>"
     "<integrator name='@y' in='(@.out - @y)/$t'/>",
     ".out y"},
    {3,
     "<block type='control.hysteresis_current' name='@' wanted='$s' i='@i' band='0.$k'/>"
     "<integrator name='@i' in='(3*@.gate - 1.5 - @i/2)/$T'/>",
     ".gate i"},
    {3,
     "<block type='control.peak_current' name='@' wanted='2 + 0.5*sin($s)' i='@i' period='$q'"
     " slope='$[0|$p/$T]' most='0.9'/><integrator name='@i' in='if(@.gate > 0.5, 8, -4)/$T'/>",
     ".gate i"},
    {2,
     "<block type='control.mppt' name='@' rule='$[perturb|conductance]' period='$t' step='0.5'"
     " initial='20' lower='1' upper='45' v='@v' i='5*(1 - exp((@v - 40)/3)) + 0.1*limit($s, -1, "
     "1)'/>"
     "<integrator name='@v' x0='20' in='(@.ref - @v)/($t/5)'/>",
     ".ref v"},
    {3, "<block type='control.transfer' name='@' num='$n, $n' den='$t*$T, $t, 1' in='$s'/>",
     ".out"},
    {2,
     "<block type='control.state_space' name='@' n='2' A='0, 1/$T, -1/$T, -0.$k/$T' B='0, 1/$T'"
     " C='1, 0.$k' D='$[0|$n]' u='$s' x0='$n, $n'/>",
     ".y[1]"},
    {2,
     "<block type='control.state_space' name='@' n='2' A='0.5, 0.$k, -0.2, 0.$k' B='0, 1' C='1, 0'"
     " u='$s' x0='$n, $n' period='$t'/>",
     ".y[1]"},
    {3, "<block type='control.first_order' name='@' pass='$[low|high]' frequency='$f' in='$s'/>",
     ".out"},
    {3,
     "<block type='control.second_order' name='@' pass='$[low|high|band|notch]' frequency='$f'"
     " Q='$p' in='$s'/>",
     ".out"},
    {2,
     "<block type='control.soft_start' name='@' start='$[0|$t]' duration='$t*3'"
     " shape='$[linear|smooth]' in='$s'/>",
     ".out"},
    {3,
     "<block type='control.pwm' name='@' period='$q' duty='$d' carrier='$[sawtooth|triangle]'"
     " sampling='$[natural|once|twice]'/>",
     ".gate"},
    {2,
     "<block type='control.interleaved' name='@' N='3' period='$q' duty='$d'"
     " sampling='$[natural|once]'/>",
     ".gate[1] .gate[3]"},
    {2,
     "<block type='control.multilevel' name='@' N='$[3|5]' period='$q' m='2*$d - 1'"
     " carriers='$[in_phase|opposite|alternate|shifted]' sampling='$[natural|once|twice]'/>",
     ".gate[1] .level"},
    {2, "<block type='control.min_max' name='@' u='" U3 "' dc='5' share='$[0|0.5|1]'/>",
     ".duty[1] .duty[3]"},
    {2, "<block type='control.svm' name='@' alpha='cos(2*pi*$f*t)' beta='$s' dc='5'/>",
     ".duty[1] .duty[2] .sector"},
    {2, "<block type='control.dead_time' name='@' gate='$b' time='$t/10'/>", ".high .low"},
    {2, "<block type='control.clarke' name='@' u='" U3 "'/>", ".alpha .beta .zero"},
    {2, "<block type='control.clarke_back' name='@' alpha='$s' beta='$s' zero='$s'/>",
     ".u[1] .u[3]"},
    {2, "<block type='control.park' name='@' alpha='$s' beta='$s' angle='$f*t'/>", ".d .q"},
    {2, "<block type='control.park_back' name='@' d='$s' q='$s' angle='$s'/>", ".alpha .beta"},
    {2, "<block type='control.to_dq' name='@' u='" U3 "' angle='$s'/>", ".d .q"},
    {2, "<block type='control.from_dq' name='@' d='$s' q='$s' angle='2*pi*$f*t'/>", ".u[1] .u[2]"},
    {2,
     "<function name='@u' count='3' formula='$p*cos(2*pi*$f*t - (i - 1)*2*pi/3)'/>"
     "<block type='control.pll' name='@' u='@u[*]' amplitude='1' frequency='1/$T' kp='2/$T'/>",
     ".d .w .q"},
    {3,
     "<pi name='@' kp='$p' ki='$p/$T' in='$s - @y' lower='-$p' upper='$p'/>"
     "<integrator name='@y' in='(@ - @y)/$t'/>",
     ". y"},
    {3,
     "<pid name='@' kp='$p' ki='$p/$T' kd='0.$k*$T' filter='$t/5' in='$s - @y' lower='-2'"
     " upper='$p'/><integrator name='@y' in='(@ - @y)/$t'/>",
     ". y"},
    /* machines that turn */
    {2,
     "<block name='@' type='machines.shaft' J='$p*$T' b='0.$k' Tc='$[0|0.$k]' torque='$s'"
     " load='0.1*$v'/>",
     ".w .angle"},
    {2,
     "<integrator name='@w' in='(sin($s) - @.torque)/$T'/>"
     "<block name='@' type='machines.second_mass' J='$p*$T' k='$p/$T' d='0.$k' wm='@w' "
     "load='0.$k'/>",
     ".w .twist w"},
    {2,
     "<block name='@' type='machines.dc' R='$p' L='0.$k*$T' k='$p' J='$p*$T' b='0.1' Tc='$[0|0.1]'"
     " u='$s' load='0.$k*tanh($s)'/>",
     ".i .w"},
    {2,
     "<block name='@' type='machines.pmsm_dq' R='$p' Ld='0.$k*$T' Lq='0.$k*$T' psi='0.$k' p='2'"
     " J='$p*$T' b='0.2' ud='$n' uq='$s' load='0.1'/>",
     ".id .iq .w"},
    {2,
     "<block name='@' type='machines.pmsm' R='$p' Ld='0.$k*$T' psi='0.$k' p='2' J='$p*$T' b='0.2'"
     " u='cos(t/$T), cos(t/$T - 2*pi/3), cos(t/$T + 2*pi/3)' load='0.1'/>",
     ".iq .w .i[1]"},
    {2,
     "<block name='@' type='machines.induction' Rs='$p' Rr='$p' Lls='0.1*$T' Llr='0.$k*$T'"
     " Lm='$p*$T' p='1' J='$p*$T' b='0.2'"
     " u='2*cos(t/$T), 2*cos(t/$T - 2*pi/3), 2*cos(t/$T + 2*pi/3)' load='0.1*$v'/>",
     ".i[1] .w .psi"},
    /* measure */
    {2, "<block type='measure.mean' name='@' in='$s' period='$[inf|$T]' every='$T/$k'/>", ".out"},
    {2, "<block type='measure.rms' name='@' in='$s' period='$t'/>", ".out"},
    {2, "<block type='measure.extremes' name='@' in='$s' period='$t'/>", ".minimum .ripple .peak"},
    {2, "<block type='measure.moving_mean' name='@' in='$s' period='$t'/>", ".out"},
    {2, "<block type='measure.harmonics' name='@' N='2' in='$s' period='$t'/>",
     ".amplitude[1] .mean .rms"},
    {2,
     "<block type='measure.power' name='@' v='cos(6*t/$T), $s' i='cos(6*t/$T - 1), $s' "
     "period='$T'/>",
     ".P .S"},
    {2,
     "<block type='measure.efficiency' name='@' v1='24' i1='2 + sin($s)' v2='12' i2='1' "
     "period='$t'/>",
     ".input .output"},
    {1, "<block type='measure.step_response' name='@' in='$s' to='1' every='$t/2'/>", ".overshoot"},
    /* power */
    {3,
     CONVERTER("<block name='x' type='power.buck' p='in' n='0' out='o' " SWITCHED
               "L='$L' C='$C' rL='$[0|0.1]' rC='$[0|0.05]' Vf='$[0|0.7]' f='1/$T'/>"),
     ".v"},
    {3,
     CONVERTER("<block name='x' type='power.boost' p='in' n='0' out='o' " SWITCHED
               "L='$L' C='$C' rL='0.1' rC='$[0|0.05]' v0='24' f='1/$T'/>"),
     ".v"},
    {2,
     CONVERTER("<block name='x' type='power.buck_boost' p='in' n='0' out='o' " SWITCHED
               "L='$L' C='$C' rL='0.1' Vf='$[0|0.7]' f='1/$T'/>"),
     ".v"},
    {2,
     CONVERTER("<block name='x' type='power.cuk' p='in' n='0' out='o' " SWITCHED
               "L1='$L' L2='$L' C1='$C' C2='$C' r1='0.1' f='1/$T'/>"),
     ".v"},
    {2,
     CONVERTER("<block name='x' type='power.sepic' p='in' n='0' out='o' " SWITCHED
               "L1='$L' C1='$C' C2='$C' r1='0.1' f='1/$T'/>"),
     ".v"},
    {2,
     CONVERTER("<block name='x' type='power.flyback' p='in' n='0' out='o' back='0' " SWITCHED
               "Lm='$L' ratio='2' C='$C' rC='$[0|0.05]' f='1/$T'/>"),
     ".v"},
    {2,
     CONVERTER("<block name='x' type='power.forward' p='in' n='0' out='o' back='0' " SWITCHED
               "Lm='10*$L' ratio='2' L='$L' C='$C' f='1/$T'/>"),
     ".v"},
    {2,
     "<pwm name='@g' count='2' period='$q' duty='0.$k' phase='(i - 1)*$t'/>"
     "<circuit name='@' gate='@g[*]'><in name='gate' count='2'/><voltage name='U' nodes='in 0' "
     "value='24'/>"
     "<block name='x' type='power.interleaved_buck' N='2' p='in' n='0' out='o' gate='gate[*]' "
     "L='$L'"
     " C='$C' rL='0.05'/><resistor name='Ro' nodes='o 0' R='$R'/><out name='v' from='x.v'/>"
     "<out name='i' from='x.i[1]'/></circuit>",
     ".v .i"},
    {2,
     "<pwm name='@g' count='2' period='$q' duty='0.$k' phase='(i - 1)*$t'/>"
     "<circuit name='@' gate='@g[*]'><in name='gate' count='2'/><voltage name='U' nodes='in 0' "
     "value='24'/>"
     "<block name='x' type='power.interleaved_cuk' N='2' p='in' n='0' out='o' gate='gate[*]' "
     "L1='$L'"
     " C1='$C' C2='$C' r1='0.05'/><resistor name='Ro' nodes='o 0' R='$R'/><out name='v' "
     "from='x.v'/>"
     "</circuit>",
     ".v"},
    {2,
     "<pwm name='@a' period='$T' duty='0.5'/><pwm name='@b' period='$T' duty='0.5' phase='$T/8'/>"
     "<circuit name='@' gate='@a, @b'><in name='gate' count='2'/><voltage name='U' nodes='in 0' "
     "value='40'/>"
     "<block name='x' type='power.dual_active_bridge' p='in' n='0' out='o' back='0'"
     " gate='gate[1], gate[2]' L='$L' ratio='2' C='10*$C' v0='20' f='1/$T'/>"
     "<resistor name='Ro' nodes='o 0' R='$R'/><out name='v' from='x.v'/><out name='i' from='x.i'/>"
     "</circuit>",
     ".v .i"},
    {2,
     "<pwm name='@g' period='$T' duty='0.5'/><circuit name='@' gate='@g'><in name='gate'/>"
     "<voltage name='U' nodes='in 0' value='400'/><block name='x' type='power.llc' p='in' n='0' "
     "out='o'"
     " back='0' gate='gate' Lr='6*$T' Cr='4.2m*$T' Lm='30*$T' ratio='8' C='47*$T' v0='24'"
     " dead='$T/50' Coss='50u*$T'/><resistor name='Ro' nodes='o 0' R='2.4'/><out name='v' "
     "from='x.v'/>"
     "<out name='i' from='x.ir'/></circuit>",
     ".v .i"},
    {2,
     "<block name='@' type='power.llc_envelope' f='1/$T' U='400' v='24 + $s' Lr='6*$T' Cr='4.2m*$T'"
     " Lm='30*$T' ratio='8' R='0.$k'/>",
     ".i .ir"},
    {2,
     CONVERTER("<block name='x' type='power.mosfet' d='in' s='y' gate='gate' Ron='20m' Vf='0.8'/>"
               "<inductor name='L' nodes='y o' L='$L'/><ideal_diode name='D' nodes='0 y'/>"),
     ".v"},
    {2,
     CONVERTER("<block name='x' type='power.igbt' c='in' e='y' gate='gate' Vce='0.9' Ron='10m'"
               " Vf='1.1' Rd='8m'/><inductor name='L' nodes='y o' L='$L'/>"
               "<ideal_diode name='D' nodes='0 y'/>"),
     ".v"},
    {2,
     "<circuit name='@' g='$b'><in name='g'/><voltage name='U' nodes='dc 0' value='40'/>"
     "<block name='leg' type='power.leg' p='dc' n='0' a='a' g='g' Ron='20m' dead='$t/20'/>"
     "<inductor name='L' nodes='a y' L='$L'/><resistor name='R' nodes='y 0' R='$R'/>"
     "<out name='i' from='leg.i'/></circuit>",
     ".i"},
    {2,
     "<pwm name='@g' period='$q' duty='$d'/><circuit name='@' g='@g'><in name='g'/>"
     "<voltage name='U' nodes='in 0' value='40'/><resistor name='Ri' nodes='in p' R='0.1'/>"
     "<block name='h' type='power.half_bridge' p='p' n='0' m='m' a='a' g='g' C='10*$C' v0='20'/>"
     "<inductor name='L' nodes='a y' L='$L'/><resistor name='R' nodes='y m' R='$R'/>"
     "<out name='i' from='h.i'/></circuit>",
     ".i"},
    {2,
     "<pwm name='@g' period='$q' duty='$d'/><circuit name='@' g='@g, 1 - @g'><in name='g' "
     "count='2'/>"
     "<voltage name='U' nodes='p 0' value='40'/>"
     "<block name='h' type='power.full_bridge' p='p' n='0' a='a' b='b' g='g[*]' dead='$t/20'/>"
     "<inductor name='L' nodes='a y' L='$L'/><resistor name='R' nodes='y b' R='$R'/>"
     "<out name='i' from='h.i'/></circuit>",
     ".i"},
    {2,
     "<function name='@d' count='3' formula='0.5 + 0.4*sin(2*t/$T - (i - 1)*2*pi/3)'/>"
     "<pwm name='@g' count='3' period='$q' duty='@d[i]' carrier='triangle'/>"
     "<circuit name='@' g='@g[*]'><in name='g' count='3'/><voltage name='U' nodes='p 0' "
     "value='60'/>"
     "<block name='inv' type='power.inverter' p='p' n='0' ac='ac[1..3]' g='g[*]' dead='$t/20'/>"
     "<inductor name='L' count='3' nodes='ac[i] y[i]' L='$L'/>"
     "<resistor name='R' count='3' nodes='y[i] star' R='$R'/><out name='i' count='3' "
     "from='inv.i[i]'/>"
     "</circuit>",
     ".i[1] .i[3]"},
    {2,
     "<pwm name='@u' period='$q' duty='max(0.8*sin(2*t/$T), 0)'/>"
     "<pwm name='@l' period='$q' duty='max(-0.8*sin(2*t/$T), 0)'/>"
     "<circuit name='@' up='@u' down='@l'><in name='up'/><in name='down'/>"
     "<voltage name='U' count='2' nodes='bus[i] bus[i + 1]' value='30'/>"
     "<block name='leg' type='power.npc_leg' p='bus[1]' m='bus[2]' n='bus[3]' a='a' up='up' "
     "down='down'/>"
     "<inductor name='L' nodes='a y' L='$L'/><resistor name='R' nodes='y bus[2]' R='$R'/>"
     "<resistor name='Rg' nodes='bus[2] 0' R='1M'/><out name='i' from='leg.i'/></circuit>",
     ".i"},
    {1,
     "<function name='@m' count='3' formula='0.8*sin(2*t/$T - (i - 1)*2*pi/3)'/>"
     "<pwm name='@u' count='3' period='$q' duty='max(@m[i], 0)'/>"
     "<pwm name='@l' count='3' period='$q' duty='max(-@m[i], 0)'/>"
     "<circuit name='@' up='@u[*]' down='@l[*]'><in name='up' count='3'/><in name='down' "
     "count='3'/>"
     "<voltage name='U' nodes='in n' value='60'/><resistor name='Ri' nodes='in p' R='0.1'/>"
     "<capacitor name='Cp' nodes='p m' C='20*$C' v0='30'/><capacitor name='Cn' nodes='m n' "
     "C='20*$C' v0='30'/>"
     "<block name='inv' type='power.npc_inverter' p='p' m='m' n='n' ac='ac[1..3]' up='up[*]' "
     "down='down[*]'/>"
     "<inductor name='L' count='3' nodes='ac[i] y[i]' L='$L'/>"
     "<resistor name='R' count='3' nodes='y[i] 0' R='$R'/><out name='i' count='3' from='inv.i[i]'/>"
     "</circuit>",
     ".i[1] .i[2]"},
    {2,
     "<pwm name='@g' period='$q' duty='$d'/><circuit name='@' g='@g'><in name='g'/>"
     "<voltage name='U' nodes='in 0' value='10'/><inductor name='L' nodes='in x' L='$L'/>"
     "<block name='cell' type='power.mmc_cell' x='x' y='0' g='g' C='10*$C' v0='20'/>"
     "<out name='v' from='cell.vC'/></circuit>",
     ".v"},
    {2,
     "<pwm name='@g' count='3' period='$T' phase='i*$T/3' duty='$d'/>"
     "<circuit name='@' g='@g[*]'><in name='g' count='3'/><voltage name='U' nodes='in 0' "
     "value='15'/>"
     "<block name='arm' type='power.mmc_arm' N='3' a='in' b='0' g='g[*]' C='10*$C' v0='10' L='$L'/>"
     "<out name='i' from='arm.i'/></circuit>",
     ".i"},
    {1,
     "<pwm name='@g' count='2' period='$T' phase='i*$T/2' duty='$d'/>"
     "<circuit name='@' g='@g[*]'><in name='g' count='2'/><voltage name='U' nodes='in 0' "
     "value='15'/>"
     "<inductor name='L' nodes='in a' L='$L'/>"
     "<block name='s' type='power.mmc_string' N='2' x='a, b, 0' g='g[*]' C='10*$C' v0='10'/>"
     "<out name='v' from='s.vC[1]'/></circuit>",
     ".v"},
    {1,
     "<function name='@d' count='2' formula='0.5 + 0.4*(2*i - 3)*sin(2*t/$T)'/>"
     "<pwm name='@u' count='2' period='$T' phase='i*$T/4' duty='@d[1]'/>"
     "<pwm name='@l' count='2' period='$T' phase='i*$T/4' duty='@d[2]'/>"
     "<circuit name='@' up='@u[*]' low='@l[*]'><in name='up' count='2'/><in name='low' count='2'/>"
     "<voltage name='U' count='2' nodes='bus[i] bus[i + 1]' value='50'/>"
     "<block name='leg' type='power.mmc_leg' N='2' p='bus[1]' n='bus[3]' a='a' up='up[*]' "
     "low='low[*]'"
     " C='20*$C' v0='50' L='$L'/><resistor name='R' nodes='a bus[2]' R='$R'/>"
     "<resistor name='Rg' nodes='bus[2] 0' R='1M'/><out name='i' from='leg.i'/></circuit>",
     ".i"},
    {2,
     "<three_phase name='@u' amplitude='32' frequency='$f'/>"
     "<circuit name='@' u='@u.a, @u.b, @u.c'><in name='u' count='3'/>"
     "<voltage name='U' count='3' nodes='g[i] 0' value='u[i]'/>"
     "<inductor name='L' count='3' nodes='g[i] ac[i]' L='0.1*$L'/>"
     "<block name='b' type='power.diode_bridge' ac='ac[1..3]' p='p' n='n'/>"
     "<capacitor name='C' nodes='p n' C='$C' v0='50'/><resistor name='R' nodes='p n' R='$R'/>"
     "<resistor name='Rg' nodes='n 0' R='1M'/><out name='v' from='b.v'/></circuit>",
     ".v"},
    {2,
     "<three_phase name='@u' amplitude='32' frequency='1/$T'/>"
     "<block type='power.firing' name='@f' alpha='30 + 20*tanh($s)' frequency='1/$T'/>"
     "<circuit name='@' u='@u.a, @u.b, @u.c' up='@f.up[*]' low='@f.low[*]'><in name='u' count='3'/>"
     "<in name='up' count='3'/><in name='low' count='3'/>"
     "<voltage name='U' count='3' nodes='g[i] 0' value='u[i]'/>"
     "<inductor name='L' count='3' nodes='g[i] ac[i]' L='0.05*$L'/>"
     "<block name='b' type='power.thyristor_bridge' ac='ac[1..3]' p='p' n='n' up='up[*]' "
     "low='low[*]'/>"
     "<inductor name='Ld' nodes='p y' L='$L'/><resistor name='R' nodes='y n' R='$R'/>"
     "<resistor name='Rg' nodes='n 0' R='1M'/><out name='v' from='b.v'/></circuit>",
     ".v"},
    {2,
     "<circuit name='@' u='$s'><in name='u'/><voltage name='U' nodes='in 0' value='u'/>"
     "<resistor name='R1' nodes='in a' R='$R'/>"
     "<block name='line' type='power.lc_line' N='6' a='a' b='b' g='0' L='$L' C='$C' R='$[0|0.1]'/>"
     "<resistor name='R2' nodes='b 0' R='$R'/><out name='v' from='line.v[6]'/></circuit>",
     ".v"},
    {1,
     "<circuit name='@' u='$s'><in name='u'/><voltage name='U' nodes='in 0' value='u'/>"
     "<resistor name='R1' nodes='in x[1]' R='$R'/>"
     "<block name='line' type='power.lc_chain' N='3' x='x[1..4]' g='0' L='$L' C='$C' R='0.1' "
     "G='1m'/>"
     "<resistor name='R2' nodes='x[4] 0' R='$R'/><out name='v' from='line.v[3]'/></circuit>",
     ".v"},
    {2,
     "<circuit name='@' light='800 + 200*tanh($s)'><in name='light'/>"
     "<block name='pv' type='power.pv' p='p' n='0' G='light' T='40' Isc='9.2' Voc='38' cells='60'"
     " Rs='0.3' Rp='300' C='$C'/><resistor name='R' nodes='p 0' R='$R'/><out name='P' from='pv.P'/>"
     "</circuit>",
     ".P"},
    {2,
     "<circuit name='@' u='$s'><in name='u'/><block name='bat' type='power.battery' p='p' n='0'"
     " Q='$T/1k' M='5' ocv='35, 36.5, 37.2, 38.5, 40.2' R0='50m' N='2' R='20m, 30m' C='5*$T, 50*$T'"
     " soc0='0.8'/><current name='J' nodes='p 0' value='u'/><out name='v' from='bat.v'/></circuit>",
     ".v"},
    {2,
     "<circuit name='@' u='$s'><in name='u'/><voltage name='U' nodes='in 0' value='u'/>"
     "<block name='l' type='power.coil' a='in' b='o' L='$L' R='0.$k'/>"
     "<block name='c' type='power.cap' a='o' b='0' C='$C' R='$[0|0.05]'/>"
     "<resistor name='R' nodes='o 0' R='$R'/><out name='v' from='c.v'/></circuit>",
     ".v"},
    {1,
     "<pwm name='@g' period='$q' duty='0.$k'/><circuit name='@' gate='@g'><in name='gate'/>"
     "<voltage name='U' nodes='in 0' value='24'/><inductor name='L' nodes='in x' L='$L'/>"
     "<block name='cell' type='power.cell' s1='x' s2='0' d1='x' d2='o' gate='gate' I='L.i' V='C.v'"
     " VC='C.v' fidelity='$[switched|function]'/><capacitor name='C' nodes='o 0' C='$C' v0='24'/>"
     "<resistor name='R' nodes='o 0' R='$R'/><out name='v' from='C.v'/></circuit>",
     ".v"},
    /* thermal */
    {2, "<block name='@' type='thermal.foster' R='0.$k, $p' tau='$t, $t*3' P='abs($s)' case='25'/>",
     ".T"},
    {2,
     "<block name='@' type='thermal.cauer' R='0.$k, $p' C='$T, 3*$T' P='abs($s)' case='25 + $v'/>",
     ".T .flow"},
    {1,
     "<block name='@' type='thermal.heat_sink' N='4' R='$p' Ra='$p' C='$t' at='2' P='abs($s)' "
     "air='25'/>",
     ".T .end"},
    {2,
     "<block name='@' type='thermal.losses' i='$s' v='$s' on='$b' T='40' Ron='0.$k' Vf='0.$k' "
     "alpha='1m'"
     " Eon='0.1*$T' Eoff='0.$k*$T' width='$t/10'/>",
     ".conduction"},
    {0, NULL, NULL}};
