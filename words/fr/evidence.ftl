seen_stop = La pendule est arrêtée
seen_start = La pendule est lancée
seen_times = Pendule : Blancs { $white }, Noirs { $black }
seen_touch = { $square } touché
seen_press = { $Player } appuient
seen_lift = { $Man } soulevé{ $man-e } de { $square }
seen_put = { $Man } posé{ $man-e } en { $square }
