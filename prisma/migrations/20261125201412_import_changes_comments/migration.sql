COMMENT ON INDEX import_changes_pkey IS 'key of the rows';
COMMENT ON INDEX import_jobs_company_id_changes_key_key IS 'rule: one row for each changes_key; relation by changes_key';
COMMENT ON INDEX import_changes_company_id_import_job_id_place_key IS 'rule: one row for each import_job_id, place; relation by import_job_id';
