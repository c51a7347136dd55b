/* The atomic classes that come with hydevs; found by name with hy_class_find() (hydevs/model.h). */
#ifndef HYDEVS_ATOMICS_H
#define HYDEVS_ATOMICS_H

#include "hydevs/atomic.h"

/* Classes with a table entry but no behaviour yet; ends with NULL. A class below of the same name
 * replaces one. */
extern const HyAtomicClass *const hy_declared_classes[];

extern const HyAtomicClass hy_counter_class;
extern const HyAtomicClass hy_delay_class;
extern const HyAtomicClass hy_drop_server_class;
extern const HyAtomicClass hy_generator_class;
extern const HyAtomicClass hy_player_class;
extern const HyAtomicClass hy_random_class;
extern const HyAtomicClass hy_random_generator_class;
extern const HyAtomicClass hy_relay_class;
extern const HyAtomicClass hy_server_class;
extern const HyAtomicClass hy_sink_class;
extern const HyAtomicClass hy_transducer_class;

#endif
