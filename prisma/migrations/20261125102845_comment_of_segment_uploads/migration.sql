COMMENT ON INDEX client_segment_uploads_finished_at_idx IS 'A job removes old uploads.';
