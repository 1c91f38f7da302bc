CREATE TRIGGER company_settings_banner AFTER INSERT OR DELETE OR UPDATE OF data ON public.company_settings FOR EACH ROW EXECUTE FUNCTION own_file('data', 'defaultPromotedBanner');
