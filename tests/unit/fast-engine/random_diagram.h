/* For tests: block diagrams of random shape, the same for the same seed: blocks of every class that
 * runs, in coupled models inside each other, in random order, wired at random. What answers at once
 * reads only what was drawn before it; every other input reads anything, so there are loops through
 * states, modes, samplers, delays and jumps. Parameters lie on coarse grids: much is due at one
 * instant. */
#ifndef RANDOM_DIAGRAM_H
#define RANDOM_DIAGRAM_H

#include <hydevs/hydevs.h>

#define DIAGRAM_BLOCKS 40
#define DIAGRAM_MODELS 6
#define DIAGRAM_END    6.0

/* How a class is drawn. PARAMS: "name=a|b|c ..." where one of a, b, c is taken; ANYWHERE: a bit for
 * each input that may read what is drawn later. */
typedef struct {
  const char *name, *params;
  guint weight, inputs, anywhere; /* INPUTS: elements of a port array, at most; 0: no array */
} Choice;

static const Choice diagram_choices[] = {
    /* states are drawn by draw_state() */
    {"integrator", "", 40, 0, 1},
    {"reset_integrator", "", 8, 0, 7},
    /* functions */
    {"function", "", 30, 3, 0},
    {"sum", "", 16, 4, 0},
    {"gain", "k=-2|-1|-0.5|0.5|1", 14, 0, 0},
    {"product", "", 5, 3, 0},
    {"division", "", 1, 0, 0},
    {"power", "n=2|3|0.5", 2, 0, 0},
    {"lookup", "x=-1,0,0.5,2 y=0,0.5,0.5,-1|1,0,2,-1", 4, 0, 0},
    {"constant", "value=-1|-0.5|0|0.25|1|2", 4, 0, 0},
    {"saturation", "lower=-1|-0.25|0 upper=0.25|0.5|1", 6, 0, 0},
    {"dead_band", "lower=-0.5|-0.1|0 upper=0.1|0.5", 4, 0, 0},
    {"switch", "level=0.5|0|0.25", 8, 0, 1},
    {"diode", "ron=0.125|0.5 roff=2|8", 8, 0, 1},
    {"comparator", "level=0|0.25|0.5 low=-1|0 high=1", 6, 0, 1},
    {"hysteresis", "lower=-0.25|0 upper=0.25|0.5 low=-1|0 high=1", 4, 0, 1},
    {"and", "", 2, 3, 0},
    {"or", "", 2, 3, 0},
    {"not", "", 2, 0, 0},
    /* sources */
    {"random", "distribution=uniform|normal period=0.25|0.5|0.3", 2, 0, 0},
    {"step", "from=0|1 to=-1|2 at=0|0.5|1", 3, 0, 0},
    {"pulse", "low=0|-1 high=1 start=0|0.25 end=1|1.5", 2, 0, 0},
    {"ramp", "start=0|0.5 duration=1|2 height=1|-2", 2, 0, 0},
    {"square", "low=0|-1 high=1 frequency=1|2|3 duty=0.5|0.25", 4, 0, 0},
    {"sawtooth", "low=-1 high=1 frequency=1|2 dqmin=0.01", 2, 0, 0},
    {"triangle", "low=-1 high=1 frequency=1|2 dqmin=0.01", 2, 0, 0},
    {"trapezoid", "low=-1 high=1 rise=0|0.1 up=0.5 fall=0.1|0 down=0.25", 2, 0, 0},
    {"sine", "amplitude=1 frequency=0.5|1 phase=0|1 dqmin=0.05|0.01", 4, 0, 0},
    {"three_phase", "amplitude=1 frequency=0.5 dqmin=0.05", 2, 0, 0},
    {"generator", "first=0|0.25 period=0.5|0.3 values=1,-1,2,0.5,0,1,2,3", 3, 0, 0},
    {"random_generator", "distribution=exponential|uniform mean=0.5", 2, 0, 0},
    {"implicit",
     "formula=out[1]+0.5*sin(out[1])-in[1]|out[1]^3+out[1]-in[1]*in[2]|out[1]+max(out[1],0.25)-in["
     "1]|"
     "exp(out[1])-1+out[1]-in[1]|out[1]^2-in[1]+0.5 guess=0|1",
     5, 0, 0},
    /* loops: see draw_loop() */
    {"loop_breaker", "guess=0|0.5 solver=secant|newton", 5, 0, 0},
    /* what stays outside */
    {"pwm", "period=0.5|0.25 phase=0|0.1 carrier=sawtooth|triangle", 4, 0, 1},
    {"sample_hold", "period=0.25|0.1|0.5 start=0|0.05", 6, 0, 1},
    {"sampler", "initial=0|0.5", 3, 0, 3},
    {"unit_delay", "period=0.25|0.5 start=0|0.1", 3, 0, 1},
    {"transfer_z", "num=1,-0.5 den=1,-0.5|1,0.25 period=0.25", 2, 0, 1},
    {"quantizer", "dq=0.1|0.5 hysteresis=0.05|0.1", 3, 0, 1},
    {"crossing", "level=0|0.25|0.5 direction=up|down|both", 8, 0, 1},
    {"counter", "initial=0|1", 4, 0, 3},
    {"delay", "time=0.5|0.1|0.25 initial=0|0.5", 5, 0, 1},
    {"variable_delay", "maximum=2 dqmin=0.01", 2, 0, 3},
    {"rate_limiter", "falling=-1|-0.5 rising=1|2 dqmin=0.01", 3, 0, 1},
    {"relay", "", 2, 0, 0},
    {"server", "time=0.25|0.1", 2, 0, 1},
    {"drop_server", "time=0.25|0.1", 2, 0, 1},
    {"player", "ball=true|false delay=0.5|0.25 first=0.25|1", 2, 0, 1},
    {"transducer", "", 1, 0, 3},
    {"sink", "", 1, 0, 1},
    {"stop", "level=6 message=far", 1, 0, 1},
    {"window", "", 2, 0, 1},
};

static const char *const diagram_formulas[] = {
    "-in[1]",
    "in[2] - 0.5*in[1]",
    "-2*in[1] + in[2]*in[3]",
    "sin(in[1])",
    "in[1]*(1 - in[1]) - 0.25*in[2]",
    "tanh(in[1] - in[2])",
    "exp(-in[1]^2)",
    "sqrt(abs(in[1]))",
    "1/(1 + in[1]^2) - in[2]",
    "max(in[1], in[2]) - min(in[1], 0.5)",
    "if(in[1] > in[2], in[3], -in[1])",
    "if(in[1] > 0.25, 1, -1)",
    "atan(in[1]) - 0.5*in[3]",
    "cos(2*in[1])*in[2]",
};

/* Rare: they may fail, and then everybody has to fail alike. */
static const char *const diagram_risks[] = {"log(in[1])", "1/in[1]", "sqrt(in[1])",
                                            "exp(100*in[1])", "in[1]/(in[2] - in[1])"};

typedef struct {
  const Choice *choice;
  guint model, component;
  guint entry; /* the component that takes its inputs */
  guint later; /* the number of the block in the order of drawing; its sources come before */
} Drawn;

typedef struct {
  GRand *rand;
  HyModel *model[DIAGRAM_MODELS];
  guint n_models;
  Drawn drawn[DIAGRAM_BLOCKS];
  guint n;
  const char *method; /* of all states; NULL: each its own */
  gboolean risky;
} Diagram;

static inline guint diagram_pick(Diagram *d, guint n)
{
  return (guint)g_rand_int_range(d->rand, 0, (gint32)n);
}

static inline gboolean diagram_chance(Diagram *d, guint percent)
{
  return diagram_pick(d, 100) < percent;
}

static inline const Choice *draw_choice(Diagram *d)
{
  guint sum = 0;
  for (guint k = 0; k < G_N_ELEMENTS(diagram_choices); k++) {
    sum += diagram_choices[k].weight;
  }
  guint at = diagram_pick(d, sum), k = 0;
  while (at >= diagram_choices[k].weight) {
    at -= diagram_choices[k++].weight;
  }
  return &diagram_choices[k];
}

static inline void diagram_set(HyModel *m, guint component, const char *name, const char *text)
{
  g_autoptr(GError) error = NULL;
  if (!hy_model_set(m, component, name, text, &error)) {
    g_error("%s", error->message);
  }
}

/* One of the values of each parameter in the table. */
static inline void draw_params(Diagram *d, HyModel *m, guint component, const char *params)
{
  g_auto(GStrv) each = g_strsplit(params, " ", -1);
  for (guint k = 0; each[k] != NULL && each[k][0] != '\0'; k++) {
    char *values = strchr(each[k], '=');
    *values++ = '\0';
    g_auto(GStrv) value = g_strsplit(values, "|", -1);
    diagram_set(m, component, each[k], value[diagram_pick(d, g_strv_length(value))]);
  }
}

/* Groups of several rates, which inform each other. */
static const char *const diagram_rates[][2] = {
    {"euler_advanced", "0.2"}, {"euler_delayed", "0.1"}, {"pec2e_interpolated", "0.05"}};

static inline const char *diagram_hstep(const char *method)
{
  for (guint k = 0; k < G_N_ELEMENTS(diagram_rates); k++) {
    if (strcmp(diagram_rates[k][0], method) == 0) {
      return diagram_rates[k][1];
    }
  }
  return "0.05";
}

static inline const char *draw_method(Diagram *d)
{
  static const char *const methods[] = {"qss1",   "qss2",   "qss3",    "bqss",    "liqss1",
                                        "liqss2", "liqss3", "mliqss1", "mliqss2", "mliqss3",
                                        "euler",  "rk4",    "abm4",    "rkf45",   "bdf2"};
  guint k = diagram_pick(d, G_N_ELEMENTS(methods) + G_N_ELEMENTS(diagram_rates));
  return k < G_N_ELEMENTS(methods) ? methods[k] : diagram_rates[k - G_N_ELEMENTS(methods)][0];
}

static inline void draw_state(Diagram *d, HyModel *m, guint component)
{
  draw_params(d, m, component, "x0=0|0.5|1|-1|0.25 dqmin=0.125|0.05|0.01 dqrel=0|0|0.01");
  const char *method = d->method != NULL ? d->method : draw_method(d);
  diagram_set(m, component, "method", method);
  diagram_set(m, component, "hstep", diagram_hstep(method));
}

static inline const char *draw_formula(Diagram *d)
{
  return d->risky && diagram_chance(d, 10)
             ? diagram_risks[diagram_pick(d, G_N_ELEMENTS(diagram_risks))]
             : diagram_formulas[diagram_pick(d, G_N_ELEMENTS(diagram_formulas))];
}

/* What must lie within bounds gets a block before it that sees to it. */
static inline guint draw_guard(HyModel *m, const char *name, guint component, guint port)
{
  g_autofree char *guard = g_strdup_printf("%s_guard", name);
  guint k = hy_model_add(m, guard, hy_class_find("saturation"));
  diagram_set(m, k, "lower", "0.125");
  diagram_set(m, k, "upper", "0.875");
  g_assert_true(hy_model_connect(m, k, 0, component, port, NULL));
  return k;
}

/* What leads from a loop breaker back to it; what was drawn before comes in there. */
static inline guint draw_loop(Diagram *d, HyModel *m, const char *name, guint component)
{
  static const char *const formulas[] = {"in[1] - 2*in[2]", "in[1] - tanh(in[2])",
                                         "0.5*cos(in[2]) + in[1]", "in[1]*(1 - in[2])",
                                         "if(in[2] > 0.25, in[1] - in[2], in[1] + 0.5*in[2])"};
  g_autofree char *round = g_strdup_printf("%s_round", name);
  guint k = hy_model_add(m, round, hy_class_find("function"));
  hy_model_set_array(m, component, 1, 1);
  hy_model_set_array(m, k, 2, 0);
  diagram_set(m, k, "formula", formulas[diagram_pick(d, G_N_ELEMENTS(formulas))]);
  g_assert_true(hy_model_connect(m, component, 0, k, 1, NULL));
  g_assert_true(hy_model_connect(m, k, 0, component, 0, NULL));
  return k;
}

static inline void draw_block(Diagram *d, guint number)
{
  Drawn *b = &d->drawn[number];
  HyModel *m = d->model[b->model];
  g_autofree char *name = g_strdup_printf("b%u", number);
  b->component = hy_model_add(m, name, hy_class_find(b->choice->name));
  draw_params(d, m, b->component, b->choice->params);
  if (strstr(b->choice->name, "integrator") != NULL) {
    draw_state(d, m, b->component);
  } else if (strcmp(b->choice->name, "function") == 0) {
    hy_model_set_array(m, b->component, 3, 0);
    diagram_set(m, b->component, "formula", draw_formula(d));
  } else if (strcmp(b->choice->name, "implicit") == 0) {
    hy_model_set_array(m, b->component, 2, 1);
  } else if (b->choice->inputs > 0) {
    hy_model_set_array(m, b->component, 1 + diagram_pick(d, b->choice->inputs), 0);
  }
  b->entry = b->component;
  if (strcmp(b->choice->name, "loop_breaker") == 0) {
    b->entry = draw_loop(d, m, name, b->component);
  } else if (strcmp(b->choice->name, "pwm") == 0) {
    b->entry = draw_guard(m, name, b->component, 0);
  } else if (strcmp(b->choice->name, "variable_delay") == 0) {
    g_assert_true(hy_model_set_input(m, draw_guard(m, name, b->component, 1), 0, 0.25, NULL));
  }
  if (diagram_chance(d, 6)) {
    hy_model_set_priority(m, b->component, (gint)diagram_pick(d, 5) - 2);
  }
}

/* Wires across models --------------------------------------------------------------------------
 */

static inline guint diagram_depth(const HyModel *m)
{
  guint depth = 0;
  while ((m = hy_model_parent(m)) != NULL) {
    depth++;
  }
  return depth;
}

/* A wire that climbs to the model around both ends, and down again. */
static inline void diagram_wire(HyModel *from, guint block, guint port, HyModel *to, guint block_to,
                                guint port_to)
{
  while (from != to) {
    gboolean up = diagram_depth(from) >= diagram_depth(to);
    HyModel *inner = up ? from : to;
    HyModel *outer = hy_model_parent(inner);
    guint n = up ? hy_model_n_out(outer, hy_model_index(inner))
                 : hy_model_n_in(outer, hy_model_index(inner));
    g_autofree char *name = g_strdup_printf("%s%u", up ? "y" : "u", n);
    if (up) {
      guint out = hy_model_out(inner, name);
      g_assert_true(hy_model_connect(inner, block, port, HY_SELF, out, NULL));
      from = outer;
      block = hy_model_index(inner);
      port = out;
    } else {
      guint in = hy_model_in(inner, name);
      g_assert_true(hy_model_connect(inner, HY_SELF, in, block_to, port_to, NULL));
      to = outer;
      block_to = hy_model_index(inner);
      port_to = in;
    }
  }
  g_assert_true(hy_model_connect(from, block, port, block_to, port_to, NULL));
}

/* A block with an output that block NUMBER may read at PORT; NULL: none was found. */
static inline const Drawn *draw_source(Diagram *d, guint number, guint port)
{
  const Drawn *b = &d->drawn[number];
  gboolean anywhere = (b->choice->anywhere >> MIN(port, 8) & 1) != 0;
  for (guint k = 0; k < 8; k++) {
    const Drawn *from = &d->drawn[diagram_pick(d, d->n)];
    gboolean later = from->later >= b->later;
    gboolean at_once = hy_class_find(from->choice->name)->describe != NULL ||
                       strcmp(from->choice->name, "relay") == 0 ||
                       strcmp(from->choice->name, "loop_breaker") == 0 ||
                       strcmp(from->choice->name, "implicit") == 0;
    if (from != b && (anywhere || !later || !at_once) &&
        hy_model_n_out(d->model[from->model], from->component) > 0) {
      return from;
    }
  }
  return NULL;
}

static inline void draw_input(Diagram *d, guint number, guint port)
{
  const Drawn *b = &d->drawn[number];
  HyModel *m = d->model[b->model];
  static const double constants[] = {-1, -0.5, 0, 0.25, 0.5, 1};
  guint wires = diagram_chance(d, 12) ? 0 : diagram_chance(d, 4) ? 2 : 1;
  guint made = 0;
  if (number % 7 == 3 && diagram_chance(d, 10)) { /* from outside */
    diagram_wire(d->model[0], HY_SELF, 0, m, b->entry, port);
    return;
  }
  for (guint k = 0; k < wires; k++) {
    const Drawn *from = draw_source(d, number, port);
    if (from != NULL) {
      HyModel *f = d->model[from->model];
      diagram_wire(f, from->component, diagram_pick(d, hy_model_n_out(f, from->component)), m,
                   b->entry, port);
      made++;
    }
  }
  if (made == 0 && !hy_model_set_input(m, b->entry, port, constants[diagram_pick(d, 6)], NULL)) {
    g_assert_not_reached();
  }
}

static inline void shuffle(Diagram *d, guint *v, guint n)
{
  for (guint k = 0; k < n; k++) {
    v[k] = k;
  }
  for (guint k = n; k-- > 1;) {
    guint j = diagram_pick(d, k + 1), was = v[k];
    v[k] = v[j];
    v[j] = was;
  }
}

static inline void draw_models(Diagram *d)
{
  d->model[0] = hy_model_new("R");
  hy_model_in(d->model[0], "u");
  d->n_models = 1 + (diagram_chance(d, 60) ? diagram_pick(d, DIAGRAM_MODELS) : 0);
  for (guint k = 1; k < d->n_models; k++) {
    g_autofree char *name = g_strdup_printf("m%u", k);
    HyModel *outer = d->model[diagram_pick(d, k)];
    d->model[k] = hy_model_add_coupled(outer, name);
    if (diagram_chance(d, 20)) {
      hy_model_set_priority(outer, hy_model_index(d->model[k]), (gint)diagram_pick(d, 3));
    }
  }
}

static inline HyModel *random_diagram(guint32 seed)
{
  Diagram d = {.rand = g_rand_new_with_seed(seed)};
  d.n = 5 + diagram_pick(&d, DIAGRAM_BLOCKS - 4);
  d.method = diagram_chance(&d, 60) ? draw_method(&d) : NULL;
  d.risky = diagram_chance(&d, 20);
  draw_models(&d);
  guint order[DIAGRAM_BLOCKS];
  shuffle(&d, order, d.n);
  for (guint k = 0; k < d.n; k++) {
    d.drawn[k] = (Drawn){.choice = k == 0 ? diagram_choices : draw_choice(&d),
                         .model = diagram_pick(&d, d.n_models),
                         .later = order[k]};
    draw_block(&d, k);
  }
  for (guint k = 0; k < d.n; k++) {
    const char *name = d.drawn[k].choice->name;
    gboolean one = strcmp(name, "variable_delay") == 0 || strcmp(name, "loop_breaker") == 0;
    guint n_in = one ? 1 : hy_model_n_in(d.model[d.drawn[k].model], d.drawn[k].entry);
    for (guint port = 0; port < n_in; port++) {
      draw_input(&d, k, port);
    }
  }
  g_rand_free(d.rand);
  return d.model[0];
}

#endif
