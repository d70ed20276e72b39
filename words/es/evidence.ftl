seen_stop = El reloj se ha parado
seen_start = El reloj se ha puesto en marcha
seen_times = Reloj: blancas { $white }, negras { $black }
seen_touch = { $square } tocada
seen_press = { $Player } pulsan el reloj
seen_lift = { $Man } levantad{ $man-o } de { $square }
seen_put = { $Man } puest{ $man-o } en { $square }
