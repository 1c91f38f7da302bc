DROP TRIGGER refresh_tokens_audit ON refresh_tokens;

CREATE TRIGGER refresh_tokens_audit AFTER INSERT OR DELETE OR UPDATE ON public.refresh_tokens FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('refresh_token', '{token_hash,family_id}');
