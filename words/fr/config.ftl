conf_word = "{ $written }" n’est pas connu ; écrivez l’un de : { $known }
conf_key = clé inconnue `{ $key }` ; écrivez l’une de : { $known }
conf_quotes = mettez des guillemets : { $key } = "{ $value }" ({ $said })
conf_straight_quotes = { $quote } n’est pas un guillemet de configuration ; écrivez des guillemets droits : "…" (les traitements de texte les changent volontiers)
conf_no_quotes = un texte se met entre guillemets : { $key } = "{ $value }"
conf_each_table = écrivez [[table]] entre deux crochets, une fois pour chaque table
conf_single = écrivez [{ $section }] entre un seul crochet, une fois
conf_missing = écrivez aussi { $key }
conf_list = écrivez une liste entre crochets : { $key } = ["{ $value }"]
conf_twice = y est déjà ; écrivez-le une seule fois
conf_whole_number = écrivez un nombre entier à partir de 0, sans guillemets, et non { $value } ({ $said })
conf_truth = écrivez true ou false, sans guillemets ({ $said })
conf_socket = écrivez une adresse et un port, par exemple "0.0.0.0:8380" ({ $said })
conf_said = { $said }
conf_no_toml = cette ligne ne peut pas être lue ; écrivez une clé par ligne, par exemple name = "Open" ({ $said })
conf_open_quotes = un texte se met entre deux guillemets droits sur une ligne, par exemple name = "Open" ({ $said })
conf_line_of_its_own = écrivez une seule clé par ligne, et pas de virgule à la fin ({ $said })
conf_equals = écrivez { $key } = … avec un signe égal ; un nom avec une espace ou un accent se met entre guillemets, par exemple "Open A" ({ $said })
conf_head = écrivez l’en-tête en entier, seul sur sa ligne : [web], ou pour chaque table [[table]] ({ $said })
conf_whole_list = écrivez la liste en entier, avec des virgules : ["en", "fr"] ({ $said })
conf_backslash = écrivez deux fois une barre oblique inverse : \\ ({ $said })
conf_within = { $key } : { $what }
conf_one_line = contient un retour à la ligne ou un signe du même genre ; écrivez-le sur une seule ligne
conf_long_name = écrivez { $letters } lettres au plus
conf_control = "{ $written }" n’est pas une cadence ; 90 minutes et 30 secondes par coup s’écrivent "5400+30" (forme attendue : { $wanted })
conf_start = "{ $written }" n’est pas une heure ; écrivez l’heure avec son décalage, comme 2026-11-20T14:00:00+01:00
conf_base = écrivez un sujet sans + ni #, qui commence tous les autres, comme adoubed
conf_halls_broker = plusieurs salles se lisent sur un seul courtier ; écrivez broker = "external" et son url dans [mqtt]
conf_halls_many = écrivez au plus { $most } salles
conf_halls_sections = [web.sections] vaut pour une seule salle ; enlevez-le : les tables de plusieurs salles sont rangées salle par salle
conf_halls_base = "{ $base }" n’est pas une base ; écrivez-la comme dans [mqtt] base de cette salle, par exemple "liege/a", ou "liege/+" pour toutes les salles sous liege
conf_halls_pages = "{ $written }" n’est pas une adresse de pages ; écrivez-la ainsi : "http://10.0.0.11:8380"
conf_halls_twice = { $base } y est deux fois ; enlevez-en une
conf_halls_open = { $base } désigne plusieurs salles, et un nom ou des pages une seule ; écrivez-les à côté de la base de cette salle
conf_halls_name = "{ $name }" ne peut pas précéder le numéro d’une table ; écrivez { "{" } base = "{ $base }", name = "A" { "}" }, avec une lettre puis des lettres et des chiffres, { $most } au plus en tout
conf_halls_same = deux salles auraient le nom { $name } ; écrivez { "{" } base = "{ $base }", name = "…" { "}" } avec un autre
conf_serve_section = [{ $section }] est pour le service d’une salle, et `adoubed serve` n’a ni échiquiers ni enregistrement ; enlevez-le, ou lancez `adoubed run`
conf_serve_halls = `adoubed serve` montre les salles nommées ici ; écrivez halls = ["liege/a", "liege/b"] dans [web]
conf_run_halls = plusieurs salles sont montrées par `adoubed serve`, qui a son propre fichier ; enlevez ceci, ou lancez `adoubed serve` avec
conf_broker_url = écrivez mqtt://hôte:1883, ou mqtts://hôte:8883 avec TLS ; plusieurs courtiers ainsi : ["mqtt://a:1883", "mqtt://b:1883"]
conf_broker_plain = est pour des courtiers avec TLS ; écrivez chaque url ainsi : mqtts://hôte:8883
conf_machine = vaut pour plusieurs machines sur un courtier externe ; écrivez broker = "external" et son url, ou supprimez la ligne
conf_spare = demande un nom pour cette machine : machine = "secours"
conf_same_port = le flux et les pages ne peuvent partager un port ; écrivez 1883 et 8380
conf_name = "{ $written }" n’est ni un nom ni une adresse ; écrivez hall.local
conf_tls_port = écrivez un autre port que celui de listen, par exemple 8443
conf_tls_listen = écrivez aussi où écouter : listen_tls = "0.0.0.0:8443"
conf_other_half = écrivez aussi le fichier de l’autre moitié : { $missing }
conf_own_names = sert pour un certificat de notre fabrication ; supprimez-le
conf_wait = plus de { $most } s ; écrivez moins
conf_between = écrivez de { $least } à { $most }
conf_minutes = écrivez de { $least } à { $most } minutes
conf_minutes_or_never = écrivez de 0 (jamais) à { $most } minutes
conf_or_never = écrivez de 0 (jamais) à { $most }
conf_table_number = chaque table a besoin d’un numéro à partir de 1
conf_number_taken = { $number } est déjà le numéro de la [[table]] { $nth } du fichier ; écrivez-en un autre
conf_place = écrivez où est son échiquier : port ou serial
conf_is_clock = { $name } est une pendule et n’a pas de cases ; écrivez-la à côté de l’échiquier, ainsi : clock = { "{ port = \"…\", driver = \"" }{ $name }{ "\" }" }, et ici le driver de l’échiquier, ou auto
conf_no_search = aucune ligne n’est cherchée pour { $name } ; écrivez son port, ou pas de driver ici
conf_second_where = écrivez où il est : port ou serial
conf_clock_taken = la pendule sur { $port } est déjà celle de la table { $table }, et une pendule compte pour une table ; écrivez le port d’une autre pendule, ou aucun ici
conf_port_taken = { $port } est déjà celui de la table { $table }, et une ligne a un échiquier ; écrivez un autre port, ou serial seul (échiquiers sur un bus : leur driver à chacun)
conf_station_taken = { $station } sur { $port } est déjà à la table { $table } ; écrivez la station de chaque échiquier du bus, ou le serial de chacun
conf_serial_taken = { $serial } est déjà à la table { $table } ; écrivez-en un autre (deux échiquiers au même numéro : le port de chacun)
conf_two_roles = est aussi dans [web.arbiters] ; un organisateur peut tout ce que peut un arbitre : écrivez le nom une seule fois
conf_own_name = est un nom que le programme utilise lui-même ; écrivez-en un autre
conf_no_hash = n’est pas l’empreinte d’un mot de passe ; écrivez la ligne qu’affiche « adoubed passwd { $name } »
conf_shares = partage des tables avec { $other } ; écrivez chaque table une fois
conf_no_tables = "{ $written }" ne nomme pas de tables ; écrivez des numéros, comme 1-40,50
conf_no_delay = il n’y a pas de différé ; écrivez aussi [public] avec delay_s = 900
conf_delay = écrivez de { $least } à { $most } secondes, ou pas de [public] pour aucun différé
conf_delay_moves = écrivez de 0 à { $most } demi-coups
conf_no_address = "{ $written }" n’est pas une adresse ; écrivez une adresse et un port, comme "127.0.0.1:1982"
conf_door_taken = { $written } est déjà celui d’une autre porte ; écrivez "127.0.0.1:1982"
conf_live_door = qui atteint { $written } peut lire les tables sans donner de nom ; écrivez aussi [mqtt] hall = "open", ou "127.0.0.1:1982" ici
conf_no_alert = aucune alerte de ce genre ; écrivez l’une de : { $known }
conf_no_gravity = "{ $written }" n’est pas connu ; écrivez note, look ou summon
conf_no_edition = aucune édition de ce nom ; écrivez l’une de : { $known }
conf_penalties = écrivez des minutes pour chaque coup illégal (0 à 60, quatre au plus), puis "loss", comme [2, "loss"]
conf_penalty_minutes = écrivez des minutes, de 0 à { $most }
conf_rounds_named = les rondes sont déjà nommées ; supprimez celle-ci
conf_no_round = "{ $written }" n’est pas une ronde de Lichess ; écrivez les huit lettres à la fin de l’adresse de la ronde
conf_round_empty = l’une d’elles est vide ; supprimez-la
conf_token = écrivez le fichier d’un jeton qui peut écrire des études (study:write)
conf_secret = n’importe qui en chemin pourrait lire le jeton ; écrivez https://
conf_file_unread = { $file } ne peut être lu : { $why }
conf_refused_at = la configuration serait refusée : { $file }:{ $line }: { $key } : { $what }
