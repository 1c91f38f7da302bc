-- Returns how else a small number of a folded text is written, in Spanish, German, English, Portuguese and French: 4 as "cuatro",
-- and "cuatro" as 4, behind "#" as goods' words have it. One is left out: it is an article as well.
CREATE OR REPLACE FUNCTION "number_names"(_word text) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT coalesce(array_agg(DISTINCT other), '{}')
      FROM (VALUES ('{#2,dos,zwei,two,dois,duas,deux}'::text[]), ('{#3,tres,drei,three,trois}'), ('{#4,cuatro,vier,four,quatro,quatre}'),
                   ('{#5,cinco,funf,five,cinq}'), ('{#6,seis,sechs,six}'), ('{#7,siete,sieben,seven,sete,sept}'),
                   ('{#8,ocho,acht,eight,oito,huit}'), ('{#9,nueve,neun,nine,nove,neuf}'), ('{#10,diez,zehn,ten,dez,dix}'),
                   ('{#12,doce,zwolf,twelve,doze,douze}'), ('{#20,veinte,zwanzig,twenty,vinte,vingt}'),
                   ('{#100,cien,hundert,hundred,cem,cent}')) AS number (names),
           LATERAL unnest(names) AS other
     WHERE names @> ARRAY[CASE WHEN _word ~ '^[0-9]' THEN '#' || _word ELSE _word END]
       AND other <> _word AND other <> '#' || _word
$$;
