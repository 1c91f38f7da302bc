-- Remembers for the rest of the transaction that the version of a row, of the table that the trigger names, is of another transaction,
-- which has moved it since this one began. This one writes the row, maybe without a change that moves it: then the row has the number of
-- this transaction and a moment that is not before it, as one that it has moved.
CREATE OR REPLACE FUNCTION "note_foreign_version"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    _name CONSTANT text := 'versions.' || TG_ARGV[0];
BEGIN
    IF NOT "wrote_row"(OLD.xmin) THEN
        PERFORM set_config(
            _name, coalesce(nullif(current_setting(_name, true), ''), ',') || OLD."id" || '/' || OLD."version" || ',', true);
    END IF;
    RETURN NEW;
END
$$;
