CREATE INDEX CONCURRENTLY "fleet_associations_filters_idx" ON public.fleet_associations USING gin (company_id, fleet_id, service_id, service_charge_id, service_type);
