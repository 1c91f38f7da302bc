-- AlterTable
ALTER TABLE "admins" ADD COLUMN     "avatar_key" TEXT;

-- CreateTable
CREATE TABLE "stored_files" (
    "company_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "content_type" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "stored_files_pkey" PRIMARY KEY ("company_id","key")
);

-- Files that a job has to look at.
CREATE INDEX "stored_files_unowned_idx" ON "stored_files"("since") WHERE "state" <> 'used';

-- AddForeignKey
ALTER TABLE "admins" ADD CONSTRAINT "admins_company_id_avatar_key_fkey" FOREIGN KEY ("company_id", "avatar_key") REFERENCES "stored_files"("company_id", "key") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "stored_files" ADD CONSTRAINT "stored_files_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- Keeps the states of files in step with the column that owns them: for a trigger after each row of the owner's table.
-- Its arguments name the column and, in JSON, the keys that lead to the file. A file that a row gets becomes used, and
-- the one that it had becomes unused.
CREATE OR REPLACE FUNCTION "own_file"() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    _old text := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) #>> TG_ARGV END;
    _new text := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) #>> TG_ARGV END;
BEGIN
    IF _new IS NOT DISTINCT FROM _old THEN
        RETURN NULL;
    END IF;
    UPDATE "stored_files" SET "state" = 'unused', "since" = clock_timestamp()
     WHERE "company_id" = OLD."company_id" AND "key" = _old;
    IF _new IS NOT NULL THEN
        UPDATE "stored_files" SET "state" = 'used', "since" = clock_timestamp()
         WHERE "company_id" = NEW."company_id" AND "key" = _new AND "state" = 'pending';
        IF NOT FOUND THEN
            RAISE EXCEPTION 'the file % is not pending', _new USING ERRCODE = 'foreign_key_violation';
        END IF;
    END IF;
    RETURN NULL;
END
$$;

ALTER TABLE stored_files ADD CONSTRAINT stored_files_bytes_check CHECK ((bytes > 0));

ALTER TABLE stored_files ADD CONSTRAINT stored_files_key_check CHECK ((key ~ '^[0-9a-f]{32}[.](jpg|png)$'::text));

ALTER TABLE stored_files ADD CONSTRAINT stored_files_size_check CHECK (((width > 0) AND (height > 0)));

ALTER TABLE stored_files ADD CONSTRAINT stored_files_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'used'::text, 'unused'::text])));

CREATE TRIGGER admins_avatar AFTER INSERT OR DELETE OR UPDATE OF avatar_key ON public.admins FOR EACH ROW EXECUTE FUNCTION own_file('avatar_key');
