seen_stop = The clock was stopped
seen_start = The clock was started
seen_times = Clock: White { $white }, Black { $black }
seen_touch = { $square } touched
seen_press = { $player } pressed the clock
seen_lift = { $Man } lifted from { $square }
seen_put = { $Man } put on { $square }
