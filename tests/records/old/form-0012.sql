BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0012');
CREATE TABLE analyses (
	"table" VARCHAR(24) NOT NULL, 
	seat INTEGER NOT NULL, 
	found TEXT NOT NULL, 
	PRIMARY KEY ("table", seat), 
	FOREIGN KEY("table") REFERENCES tables (id) ON DELETE CASCADE
);
CREATE TABLE answers (
	token VARCHAR(64) NOT NULL, 
	puzzle VARCHAR(16) NOT NULL, 
	move VARCHAR(64) NOT NULL, 
	solved BOOLEAN NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (token, puzzle)
);
INSERT INTO "answers" VALUES('5a908148cf8462a2bfacea2b3f192b83b6a54d7a4f4f9200d76ce46af1115ba5','0123456789abcdef','take',1,1764000000.0);
INSERT INTO "answers" VALUES('5a908148cf8462a2bfacea2b3f192b83b6a54d7a4f4f9200d76ce46af1115ba5','fedcba9876543210','fold',0,1764000001.0);
CREATE TABLE attempts (
	"table" VARCHAR(24) NOT NULL, 
	seat INTEGER NOT NULL, 
	ply INTEGER NOT NULL, 
	solved BOOLEAN NOT NULL, 
	PRIMARY KEY ("table", seat, ply), 
	FOREIGN KEY("table") REFERENCES tables (id) ON DELETE CASCADE
);
INSERT INTO "attempts" VALUES('_YTse9N92gBa',0,5,1);
CREATE TABLE bundles (
	token VARCHAR(64) NOT NULL, 
	holder VARCHAR(64) NOT NULL, 
	until FLOAT NOT NULL, 
	PRIMARY KEY (token), 
	UNIQUE (holder)
);
INSERT INTO "bundles" VALUES('bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb','5a908148cf8462a2bfacea2b3f192b83b6a54d7a4f4f9200d76ce46af1115ba5',1764000600.0);
CREATE TABLE carries (
	token VARCHAR(64) NOT NULL, 
	"table" VARCHAR(24) NOT NULL, 
	seat INTEGER NOT NULL, 
	until FLOAT NOT NULL, 
	PRIMARY KEY (token), 
	FOREIGN KEY("table") REFERENCES tables (id) ON DELETE CASCADE
);
CREATE TABLE codes (
	code VARCHAR(12) NOT NULL, 
	"table" VARCHAR(24) NOT NULL, 
	PRIMARY KEY (code), 
	FOREIGN KEY("table") REFERENCES tables (id) ON DELETE CASCADE
);
INSERT INTO "codes" VALUES('KTRB','_YTse9N92gBa');
CREATE TABLE events (
	"table" VARCHAR(24) NOT NULL, 
	version INTEGER NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	seat INTEGER NOT NULL, 
	event TEXT NOT NULL, 
	facts TEXT NOT NULL, 
	at FLOAT NOT NULL, link VARCHAR(64), bound TEXT, 
	PRIMARY KEY ("table", version), 
	FOREIGN KEY("table") REFERENCES tables (id) ON DELETE CASCADE
);
INSERT INTO "events" VALUES('_YTse9N92gBa',0,'create',0,'[]','[[{"audience":65535,"text":{"key":"{name} sets the table.","args":{"name":"Ada"}}}]]',1000000000.0,NULL,NULL);
INSERT INTO "events" VALUES('_YTse9N92gBa',1,'sit',1,'[]','[[{"audience":65535,"text":{"key":"{name} takes a seat.","args":{"name":"Ben"}}}]]',1000000000.0,NULL,NULL);
INSERT INTO "events" VALUES('_YTse9N92gBa',2,'start',-1,'[]','[]',1000000000.0,NULL,NULL);
INSERT INTO "events" VALUES('_YTse9N92gBa',3,'choice',0,'["0: stake"]','[[{"audience":1,"text":{"key":"You choose to stake."}},{"audience":65534,"text":{"key":"{seat} has chosen.","args":{"seat":{"seat":0}}}}]]',1000000060.0,NULL,NULL);
INSERT INTO "events" VALUES('_YTse9N92gBa',4,'move',1,'["1: stake","card 8","card 10"]','[[{"audience":2,"text":{"key":"You choose to stake."}},{"audience":65533,"text":{"key":"{seat} has chosen.","args":{"seat":{"seat":1}}}},{"audience":1,"text":{"key":"You stake."}},{"audience":65534,"text":{"key":"{seat} stakes.","args":{"seat":{"seat":0}}}},{"audience":2,"text":{"key":"You stake."}},{"audience":65533,"text":{"key":"{seat} stakes.","args":{"seat":{"seat":1}}}}],[{"audience":1,"text":{"key":"You are dealt {card}.","args":{"card":{"cards":["8"]}}}},{"audience":65534,"text":{"key":"{seat} is dealt {card}.","args":{"seat":{"seat":0},"card":{"cards":["8"]}}}}],[{"audience":2,"text":{"key":"You are dealt {card}.","args":{"card":{"cards":["10"]}}}},{"audience":65533,"text":{"key":"{seat} is dealt {card}.","args":{"seat":{"seat":1},"card":{"cards":["10"]}}}},{"audience":1,"text":{"key":"You have the lowest card and go first."}},{"audience":65534,"text":{"key":"{seat} has the lowest card and goes first.","args":{"seat":{"seat":0}}}}]]',1000000060.0,NULL,NULL);
INSERT INTO "events" VALUES('_YTse9N92gBa',5,'move',0,'["0: draw","card 10"]','[[{"audience":1,"text":{"key":"You draw {n} card.","args":{"n":1},"plural":"You draw {n} cards."}},{"audience":65534,"text":{"key":"{seat} draws {n} card.","args":{"n":1,"seat":{"seat":0}},"plural":"{seat} draws {n} cards."}}],[{"audience":1,"text":{"key":"You turn {card}.","args":{"card":{"cards":["10"]}}}},{"audience":65534,"text":{"key":"{seat} turns {card}.","args":{"seat":{"seat":0},"card":{"cards":["10"]}}}}]]',1000000060.0,NULL,NULL);
INSERT INTO "events" VALUES('_YTse9N92gBa',6,'move',0,'["0: stop"]','[[{"audience":1,"text":{"key":"You stop after {n} card.","args":{"n":1},"plural":"You stop after {n} cards."}},{"audience":65534,"text":{"key":"{seat} stops after {n} card.","args":{"n":1,"seat":{"seat":0}},"plural":"{seat} stops after {n} cards."}}]]',1000000060.0,NULL,NULL);
INSERT INTO "events" VALUES('_YTse9N92gBa',7,'move',1,'["1: draw","card 8"]','[[{"audience":2,"text":{"key":"You draw {n} card.","args":{"n":1},"plural":"You draw {n} cards."}},{"audience":65533,"text":{"key":"{seat} draws {n} card.","args":{"n":1,"seat":{"seat":1}},"plural":"{seat} draws {n} cards."}}],[{"audience":2,"text":{"key":"You turn {card}.","args":{"card":{"cards":["8"]}}}},{"audience":65533,"text":{"key":"{seat} turns {card}.","args":{"seat":{"seat":1},"card":{"cards":["8"]}}}}]]',1000000060.0,NULL,NULL);
INSERT INTO "events" VALUES('_YTse9N92gBa',8,'move',1,'["1: stop"]','[[{"audience":2,"text":{"key":"You stop after {n} card.","args":{"n":1},"plural":"You stop after {n} cards."}},{"audience":65533,"text":{"key":"{seat} stops after {n} card.","args":{"n":1,"seat":{"seat":1}},"plural":"{seat} stops after {n} cards."}}]]',1000000060.0,NULL,NULL);
INSERT INTO "events" VALUES('_YTse9N92gBa',9,'move',0,'["0: draw","card 7"]','[[{"audience":1,"text":{"key":"You draw {n} card.","args":{"n":1},"plural":"You draw {n} cards."}},{"audience":65534,"text":{"key":"{seat} draws {n} card.","args":{"n":1,"seat":{"seat":0}},"plural":"{seat} draws {n} cards."}}],[{"audience":1,"text":{"key":"You turn {card}.","args":{"card":{"cards":["7"]}}}},{"audience":65534,"text":{"key":"{seat} turns {card}.","args":{"seat":{"seat":0},"card":{"cards":["7"]}}}}]]',1000000060.0,NULL,NULL);
INSERT INTO "events" VALUES('_YTse9N92gBa',10,'move',0,'["0: stop"]','[[{"audience":1,"text":{"key":"You stop after {n} card.","args":{"n":1},"plural":"You stop after {n} cards."}},{"audience":65534,"text":{"key":"{seat} stops after {n} card.","args":{"n":1,"seat":{"seat":0}},"plural":"{seat} stops after {n} cards."}}]]',1000000060.0,NULL,NULL);
INSERT INTO "events" VALUES('_YTse9N92gBa',11,'move',1,'["1: draw","card 9"]','[[{"audience":2,"text":{"key":"You draw {n} card.","args":{"n":1},"plural":"You draw {n} cards."}},{"audience":65533,"text":{"key":"{seat} draws {n} card.","args":{"n":1,"seat":{"seat":1}},"plural":"{seat} draws {n} cards."}}],[{"audience":2,"text":{"key":"You turn {card}.","args":{"card":{"cards":["9"]}}}},{"audience":65533,"text":{"key":"{seat} turns {card}.","args":{"seat":{"seat":1},"card":{"cards":["9"]}}}}]]',1000000060.0,NULL,NULL);
INSERT INTO "events" VALUES('_YTse9N92gBa',12,'move',1,'["1: stop"]','[[{"audience":2,"text":{"key":"You stop after {n} card.","args":{"n":1},"plural":"You stop after {n} cards."}},{"audience":65533,"text":{"key":"{seat} stops after {n} card.","args":{"n":1,"seat":{"seat":1}},"plural":"{seat} stops after {n} cards."}}]]',1000000060.0,NULL,NULL);
INSERT INTO "events" VALUES('_YTse9N92gBa',13,'move',0,'["0: fold"]','[[{"audience":1,"text":{"key":"You fold and pay {chips} chips.","args":{"chips":7}}},{"audience":65534,"text":{"key":"{seat} folds and pays {chips} chips.","args":{"seat":{"seat":0},"chips":7}}},{"audience":2,"text":{"key":"You get {n} chip from the pot.","args":{"n":7},"plural":"You get {n} chips from the pot."}},{"audience":65533,"text":{"key":"{seat} gets {n} chip from the pot.","args":{"n":7,"seat":{"seat":1}},"plural":"{seat} gets {n} chips from the pot."}},{"audience":65535,"text":{"key":"Round {number} begins.","args":{"number":2}}}]]',1000000060.0,NULL,NULL);
INSERT INTO "events" VALUES('_YTse9N92gBa',14,'choice',1,'["1: stake"]','[[{"audience":2,"text":{"key":"You choose to stake."}},{"audience":65533,"text":{"key":"{seat} has chosen.","args":{"seat":{"seat":1}}}}]]',1000000060.0,NULL,NULL);
INSERT INTO "events" VALUES('d368SKEN4Kvz',0,'create',0,'[]','[[{"audience":65535,"text":{"key":"{name} sets the table.","args":{"name":"Ada"}}}]]',1000000060.0,NULL,NULL);
INSERT INTO "events" VALUES('d368SKEN4Kvz',1,'sit',1,'[]','[[{"audience":65535,"text":{"key":"{name} takes a seat.","args":{"name":"Ben"}}}]]',1000000060.0,NULL,NULL);
INSERT INTO "events" VALUES('d368SKEN4Kvz',2,'start',-1,'["card 6h","card 6d","card 9d","card 7h","card Js","card Kh","card 8c","card Kc","card Ah","card 2d","card thief","card 4d","card Jd","card Jc"]','[[],[],[],[],[],[],[],[],[],[],[],[],[],[{"audience":1,"text":{"key":"You are dealt {cards}.","args":{"cards":{"cards":["Ah","6h","8c","9d","Js","Jd","Tf"]}}}},{"audience":2,"text":{"key":"You are dealt {cards}.","args":{"cards":{"cards":["2d","4d","6d","7h","Jc","Kc","Kh"]}}}}]]',1000000060.0,NULL,NULL);
INSERT INTO "events" VALUES('d368SKEN4Kvz',3,'choice',0,'["0: play 8c"]','[[]]',1000000120.0,NULL,NULL);
INSERT INTO "events" VALUES('d368SKEN4Kvz',4,'move',0,'["0: cell 47"]','[[{"audience":1,"text":{"key":"You play the {card} at {cell}.","args":{"card":{"cards":["8c"]},"cell":"g6"}}},{"audience":65534,"text":{"key":"{seat} plays the {card} at {cell}.","args":{"seat":{"seat":0},"card":{"cards":["8c"]},"cell":"g6"}}}]]',1000000120.0,NULL,NULL);
INSERT INTO "events" VALUES('d368SKEN4Kvz',5,'move',0,'["0: end turn"]','[[{"audience":1,"text":{"key":"You forget {n} card.","args":{"n":1},"plural":"You forget {n} cards."}},{"audience":65534,"text":{"key":"{seat} forgets {n} card.","args":{"n":1,"seat":{"seat":0}},"plural":"{seat} forgets {n} cards."}}]]',1000000120.0,NULL,NULL);
INSERT INTO "events" VALUES('d368SKEN4Kvz',6,'choice',1,'["1: play 2d"]','[[]]',1000000120.0,NULL,NULL);
INSERT INTO "events" VALUES('d368SKEN4Kvz',7,'move',1,'["1: cell 39"]','[[{"audience":2,"text":{"key":"You play the {card} at {cell}.","args":{"card":{"cards":["2d"]},"cell":"g5"}}},{"audience":65533,"text":{"key":"{seat} plays the {card} at {cell}.","args":{"seat":{"seat":1},"card":{"cards":["2d"]},"cell":"g5"}}}]]',1000000120.0,NULL,NULL);
INSERT INTO "events" VALUES('d368SKEN4Kvz',8,'move',1,'["1: draw","card 8h"]','[[],[{"audience":2,"text":{"key":"You draw the {card}.","args":{"card":{"cards":["8h"]}}}},{"audience":65533,"text":{"key":"{seat} draws a card.","args":{"seat":{"seat":1}}}}]]',1000000120.0,NULL,NULL);
INSERT INTO "events" VALUES('d368SKEN4Kvz',9,'move',1,'["1: end turn"]','[[]]',1000000120.0,NULL,NULL);
INSERT INTO "events" VALUES('d368SKEN4Kvz',10,'choice',0,'["0: play Jd"]','[[]]',1000000120.0,NULL,NULL);
CREATE TABLE feedback (
	"table" VARCHAR(24) NOT NULL, 
	seat INTEGER NOT NULL, 
	fun INTEGER, 
	length INTEGER, 
	fair INTEGER, 
	confused TEXT NOT NULL, 
	words TEXT NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY ("table", seat), 
	FOREIGN KEY("table") REFERENCES tables (id) ON DELETE CASCADE
);
INSERT INTO "feedback" VALUES('_YTse9N92gBa',0,4,0,NULL,'the ace','',1764000000.0);
CREATE TABLE fields (
	day VARCHAR(10) NOT NULL, 
	game VARCHAR(64) NOT NULL, 
	level VARCHAR(16) NOT NULL, 
	games INTEGER NOT NULL, 
	won INTEGER NOT NULL, 
	PRIMARY KEY (day, game, level)
);
INSERT INTO "fields" VALUES('2025-11-24','hawthorn','steady',200,62);
CREATE TABLE holders (
	token VARCHAR(64) NOT NULL, 
	"table" VARCHAR(24) NOT NULL, 
	seat INTEGER NOT NULL, 
	PRIMARY KEY (token, "table"), 
	FOREIGN KEY("table") REFERENCES tables (id) ON DELETE CASCADE
);
INSERT INTO "holders" VALUES('5a908148cf8462a2bfacea2b3f192b83b6a54d7a4f4f9200d76ce46af1115ba5','_YTse9N92gBa',0);
INSERT INTO "holders" VALUES('5a908148cf8462a2bfacea2b3f192b83b6a54d7a4f4f9200d76ce46af1115ba5','d368SKEN4Kvz',0);
CREATE TABLE keys (
	name VARCHAR(16) NOT NULL, 
	value BLOB NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "keys" VALUES('promises',X'97FF86F1914A18FB64DDD2678E441118BD2A0D91971BF72E79C747465B2370EA');
CREATE TABLE sayings (
	"table" VARCHAR(24) NOT NULL, 
	number INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	name VARCHAR(64) NOT NULL, 
	phrase VARCHAR(16) NOT NULL, 
	words TEXT NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY ("table", number), 
	FOREIGN KEY("table") REFERENCES tables (id) ON DELETE CASCADE
);
CREATE TABLE subscriptions (
	"table" VARCHAR(24) NOT NULL, 
	browser VARCHAR(64) NOT NULL, 
	seat INTEGER NOT NULL, 
	endpoint TEXT NOT NULL, 
	public BLOB NOT NULL, 
	secret BLOB NOT NULL, 
	site VARCHAR(255) NOT NULL, 
	made FLOAT NOT NULL, 
	told INTEGER NOT NULL, 
	PRIMARY KEY ("table", browser), 
	FOREIGN KEY("table") REFERENCES tables (id) ON DELETE CASCADE
);
INSERT INTO "subscriptions" VALUES('_YTse9N92gBa','bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',0,'https://push.example/1',X'0404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404',X'01010101010101010101010101010101','',1000000000.0,-1);
CREATE TABLE tables (
	id VARCHAR(24) NOT NULL, 
	game VARCHAR(64) NOT NULL, 
	players INTEGER NOT NULL, 
	options TEXT NOT NULL, 
	terms TEXT NOT NULL, 
	seats TEXT NOT NULL, 
	secret BLOB NOT NULL, 
	invites BLOB NOT NULL, 
	version INTEGER NOT NULL, 
	state VARCHAR(16) NOT NULL, 
	rules INTEGER NOT NULL, 
	struct BLOB, 
	bots BOOLEAN NOT NULL, 
	runner VARCHAR(24) NOT NULL, 
	due FLOAT, 
	rematch VARCHAR(24), 
	made FLOAT NOT NULL, 
	changed FLOAT NOT NULL, acting INTEGER, used BOOLEAN, signed TEXT, day VARCHAR(10), result TEXT, 
	PRIMARY KEY (id)
);
INSERT INTO "tables" VALUES('_YTse9N92gBa','blackstone',2,'{"chips":100,"rounds":3,"sit_out":true,"extra_ten":"not_replaced","drawing":"stop_freely","draw_cap":false,"after_fold":"carries","deck":"pairs"}','{"clock":"none","watch":"anyone","lang":"","host":0,"hold":false,"hints":false,"words":true,"past":[]}','[{"kind":"person","name":"Ada","level":"","owner":true,"remote":false,"due":null,"contribution":"thirteen","left":null,"awaited":false,"freed":0,"program":false,"coached":false,"muted":false,"device":null,"face":-1,"adds":""},{"kind":"person","name":"Ben","level":"","owner":true,"remote":false,"due":null,"contribution":"of hearts","left":null,"awaited":false,"freed":0,"program":false,"coached":false,"muted":false,"device":null,"face":-1,"adds":""}]',X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F',X'6A457A42422D4F65627A735654747A68586C2D336C41',14,'playing',1,X'399ED2550576254602000000000000000100000002000000640000000300000001000000000000000000000000000000000000000102030405060708090A000000000000010000005D0000006B00000000000000000000000000000000000000000000000000000000000000000000000000000002000000010000FF0700370000000100000102030405060708090A0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000',0,'fTuFx2x7UDtN',NULL,NULL,1000000000.0,1000000060.0,1,1,NULL,NULL,NULL);
INSERT INTO "tables" VALUES('d368SKEN4Kvz','high-handed',2,'{"rows":8,"columns":8,"two_timers":2,"thieves":2,"specials":2,"strangers":"no","line_hands":"one","new_hand":"overlap","choose_pile":false,"length":"regular","teams":0,"manual_draw":true,"grandpa_rule":"none","uncle_bob_rule":true,"ranks":13,"suits":4,"hand_cards":0,"blind":5}','{"clock":"none","watch":"anyone","lang":"","host":0,"hold":false,"hints":false,"words":true,"past":[]}','[{"kind":"person","name":"Ada","level":"","owner":true,"remote":false,"due":null,"contribution":"thirteen","left":null,"awaited":false,"freed":0,"program":false,"coached":false,"muted":false,"device":null,"face":-1,"adds":""},{"kind":"person","name":"Ben","level":"","owner":true,"remote":false,"due":null,"contribution":"of hearts","left":null,"awaited":false,"freed":0,"program":false,"coached":false,"muted":false,"device":null,"face":-1,"adds":""}]',X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F',X'5A4F62494172645639784E3231396C46675835797351',10,'playing',1,X'19EA2A347A7D2F66010000000F000000010000000200000008000000080000000200000002000000020000000000000000000000000000000000000000000000000000000100000000000000010000000D00000004000000000000000500000000000000000000003100000000000000FFFFFFFFFFFFFFFF000000000000000000000000000000007FEB7F7BBC6A0D000000000000000000000080840080020000140000431400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001000000000100000000000000000000000000000000000000000000060700000000000000000000000000000000010100000000000000000000FFFFFFFFFFFF111100000000000000000000000000000000000000000000000000000000000000000000000000002900000000000000080000000000000000000000000000000000020000000000',0,'fTuFx2x7UDtN',NULL,NULL,1000000060.0,1000000120.0,1,1,NULL,NULL,NULL);
CREATE TABLE tickets (
	ticket VARCHAR(64) NOT NULL, 
	until FLOAT NOT NULL, 
	PRIMARY KEY (ticket)
);
CREATE INDEX tables_changed ON tables (changed);
CREATE INDEX tables_due ON tables (due);
CREATE INDEX holders_table ON holders ("table");
CREATE INDEX carries_table ON carries ("table");
CREATE INDEX tables_state ON tables (state);
CREATE INDEX tickets_until ON tickets (until);
CREATE INDEX subscriptions_browser ON subscriptions (browser);
CREATE UNIQUE INDEX codes_table ON codes ("table");
CREATE INDEX tables_day ON tables (day);
CREATE INDEX answers_at ON answers (at);
COMMIT;
