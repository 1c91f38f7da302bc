COMMENT ON INDEX branch_goods_company_id_updated_at_id_idx IS 'list BranchGood: order by updated_at, filters by updated_at; Systems that follow prices and stock ask for those that have changed since.';
COMMENT ON INDEX orders_company_id_updated_at_id_idx IS 'list Order: order by updated_at, filters by updated_at; Systems that follow orders ask for those that have changed since.';
COMMENT ON INDEX clients_filters_idx IS 'list Client: filters by name, email, phone, city_id, updated_at; relation by city_id';
