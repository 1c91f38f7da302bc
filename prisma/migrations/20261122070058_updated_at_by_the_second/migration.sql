-- Moves the moment of a change on to the second after that of the change before it: moments are shown by the second,
-- so callers can tell two changes apart. For triggers of tables whose rows callers change.
CREATE OR REPLACE FUNCTION "advance_updated_at"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."updated_at" := date_trunc('second', OLD."updated_at") + interval '1 second';
    RETURN NEW;
END
$$;

CREATE TRIGGER admin_types_updated_at BEFORE UPDATE OF updated_at ON public.admin_types FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE TRIGGER admins_updated_at BEFORE UPDATE OF updated_at ON public.admins FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE TRIGGER branch_categories_updated_at BEFORE UPDATE OF updated_at ON public.branch_categories FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE TRIGGER branch_good_properties_updated_at BEFORE UPDATE OF updated_at ON public.branch_good_properties FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE TRIGGER branch_goods_updated_at BEFORE UPDATE OF updated_at ON public.branch_goods FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE TRIGGER branch_groups_updated_at BEFORE UPDATE OF updated_at ON public.branch_groups FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE TRIGGER branches_updated_at BEFORE UPDATE OF updated_at ON public.branches FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE TRIGGER carts_updated_at BEFORE UPDATE OF updated_at ON public.carts FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE TRIGGER categories_updated_at BEFORE UPDATE OF updated_at ON public.categories FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE TRIGGER cities_updated_at BEFORE UPDATE OF updated_at ON public.cities FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE TRIGGER clients_updated_at BEFORE UPDATE OF updated_at ON public.clients FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE TRIGGER companies_updated_at BEFORE UPDATE OF updated_at ON public.companies FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE TRIGGER company_events_updated_at BEFORE UPDATE OF updated_at ON public.company_events FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE TRIGGER coupons_updated_at BEFORE UPDATE OF updated_at ON public.coupons FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE TRIGGER fleets_updated_at BEFORE UPDATE OF updated_at ON public.fleets FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE TRIGGER geofences_updated_at BEFORE UPDATE OF updated_at ON public.geofences FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE TRIGGER good_materials_updated_at BEFORE UPDATE OF updated_at ON public.good_materials FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE TRIGGER good_properties_updated_at BEFORE UPDATE OF updated_at ON public.good_properties FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE TRIGGER good_tags_updated_at BEFORE UPDATE OF updated_at ON public.good_tags FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE TRIGGER good_types_updated_at BEFORE UPDATE OF updated_at ON public.good_types FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE TRIGGER goods_updated_at BEFORE UPDATE OF updated_at ON public.goods FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE TRIGGER materials_updated_at BEFORE UPDATE OF updated_at ON public.materials FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE TRIGGER orders_updated_at BEFORE UPDATE OF updated_at ON public.orders FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE TRIGGER properties_updated_at BEFORE UPDATE OF updated_at ON public.properties FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE TRIGGER providers_updated_at BEFORE UPDATE OF updated_at ON public.providers FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE TRIGGER service_charges_updated_at BEFORE UPDATE OF updated_at ON public.service_charges FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();

CREATE TRIGGER services_updated_at BEFORE UPDATE OF updated_at ON public.services FOR EACH ROW WHEN ((date_trunc('second'::text, new.updated_at) <= date_trunc('second'::text, old.updated_at))) EXECUTE FUNCTION advance_updated_at();
