-- Returns whether somebody who is bound to shops reads, or writes, the row of "admins" with an id. A new row that leads to it is checked by
-- a function, since an INSERT of a distributed database may have no query: this one runs where the rows of the company are. It may
-- answer otherwise as rows change, and is said to be immutable since RETURNING has no other functions there: it is only called with a
-- column of the new row, so that no plan has its answer.
CREATE OR REPLACE FUNCTION "reaches_admins"(
    _company integer, _id integer, _writes boolean, _shops integer[], _branches integer[], _read integer[], _self integer
) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    IF _writes THEN
        RETURN EXISTS (SELECT FROM "admins" WHERE "company_id" = _company AND "id" = _id AND (("branch_id" IN (SELECT "id" FROM "branches" WHERE "company_id" = _company AND (("id" = ANY (_branches) OR "branch_group_id" = ANY (_shops)) AND ("branch_group_id" IS NULL OR "branch_group_id" = ANY (_read)))) OR "branch_id" IS NULL AND "branch_group_id" = ANY (_shops)) AND ("branch_group_id" IS NULL OR "branch_group_id" = ANY (_read))));
    END IF;
    RETURN EXISTS (SELECT FROM "admins" WHERE "company_id" = _company AND "id" = _id AND ("id" = _self OR ("branch_id" IN (SELECT "id" FROM "branches" WHERE "company_id" = _company AND ("id" = ANY (_branches) OR "branch_group_id" = ANY (_shops))) OR "branch_id" IS NULL AND ("branch_group_id" IS NULL OR "branch_group_id" = ANY (_read)))));
END
$$;

-- Returns whether somebody who is bound to shops reads, or writes, the row of "branch_goods" with an id. A new row that leads to it is checked by
-- a function, since an INSERT of a distributed database may have no query: this one runs where the rows of the company are. It may
-- answer otherwise as rows change, and is said to be immutable since RETURNING has no other functions there: it is only called with a
-- column of the new row, so that no plan has its answer.
CREATE OR REPLACE FUNCTION "reaches_branch_goods"(
    _company integer, _id integer, _writes boolean, _shops integer[], _branches integer[], _read integer[], _self integer
) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    IF _writes THEN
        RETURN EXISTS (SELECT FROM "branch_goods" WHERE "company_id" = _company AND "id" = _id AND ("branch_id" IN (SELECT "id" FROM "branches" WHERE "company_id" = _company AND (("id" = ANY (_branches) OR "branch_group_id" = ANY (_shops)) AND ("branch_group_id" IS NULL OR "branch_group_id" = ANY (_read)))) AND "good_id" IN (SELECT "id" FROM "goods" WHERE "company_id" = _company AND ("branch_group_id" IS NULL OR "branch_group_id" = ANY (_read)))));
    END IF;
    RETURN EXISTS (SELECT FROM "branch_goods" WHERE "company_id" = _company AND "id" = _id AND ("good_id" IN (SELECT "id" FROM "goods" WHERE "company_id" = _company AND ("branch_group_id" IS NULL OR "branch_group_id" = ANY (_read))) AND "branch_id" IN (SELECT "id" FROM "branches" WHERE "company_id" = _company AND ("id" = ANY (_branches) OR "branch_group_id" = ANY (_shops)))));
END
$$;

-- Returns whether somebody who is bound to shops reads, or writes, the row of "branches" with an id. A new row that leads to it is checked by
-- a function, since an INSERT of a distributed database may have no query: this one runs where the rows of the company are. It may
-- answer otherwise as rows change, and is said to be immutable since RETURNING has no other functions there: it is only called with a
-- column of the new row, so that no plan has its answer.
CREATE OR REPLACE FUNCTION "reaches_branches"(
    _company integer, _id integer, _writes boolean, _shops integer[], _branches integer[], _read integer[], _self integer
) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    IF _writes THEN
        RETURN EXISTS (SELECT FROM "branches" WHERE "company_id" = _company AND "id" = _id AND (("id" = ANY (_branches) OR "branch_group_id" = ANY (_shops)) AND ("branch_group_id" IS NULL OR "branch_group_id" = ANY (_read))));
    END IF;
    RETURN EXISTS (SELECT FROM "branches" WHERE "company_id" = _company AND "id" = _id AND ("id" = ANY (_branches) OR "branch_group_id" = ANY (_shops)));
END
$$;

-- Returns whether somebody who is bound to shops reads, or writes, the row of "carts" with an id. A new row that leads to it is checked by
-- a function, since an INSERT of a distributed database may have no query: this one runs where the rows of the company are. It may
-- answer otherwise as rows change, and is said to be immutable since RETURNING has no other functions there: it is only called with a
-- column of the new row, so that no plan has its answer.
CREATE OR REPLACE FUNCTION "reaches_carts"(
    _company integer, _id integer, _writes boolean, _shops integer[], _branches integer[], _read integer[], _self integer
) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    IF _writes THEN
        RETURN EXISTS (SELECT FROM "carts" WHERE "company_id" = _company AND "id" = _id AND "branch_id" IN (SELECT "id" FROM "branches" WHERE "company_id" = _company AND (("id" = ANY (_branches) OR "branch_group_id" = ANY (_shops)) AND ("branch_group_id" IS NULL OR "branch_group_id" = ANY (_read)))));
    END IF;
    RETURN EXISTS (SELECT FROM "carts" WHERE "company_id" = _company AND "id" = _id AND ("branch_id" IS NULL OR "branch_id" IN (SELECT "id" FROM "branches" WHERE "company_id" = _company AND ("id" = ANY (_branches) OR "branch_group_id" = ANY (_shops)))));
END
$$;

-- Returns whether somebody who is bound to shops reads, or writes, the row of "coupons" with an id. A new row that leads to it is checked by
-- a function, since an INSERT of a distributed database may have no query: this one runs where the rows of the company are. It may
-- answer otherwise as rows change, and is said to be immutable since RETURNING has no other functions there: it is only called with a
-- column of the new row, so that no plan has its answer.
CREATE OR REPLACE FUNCTION "reaches_coupons"(
    _company integer, _id integer, _writes boolean, _shops integer[], _branches integer[], _read integer[], _self integer
) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    IF _writes THEN
        RETURN EXISTS (SELECT FROM "coupons" WHERE "company_id" = _company AND "id" = _id AND (("branch_id" IN (SELECT "id" FROM "branches" WHERE "company_id" = _company AND (("id" = ANY (_branches) OR "branch_group_id" = ANY (_shops)) AND ("branch_group_id" IS NULL OR "branch_group_id" = ANY (_read)))) OR "branch_id" IS NULL AND "branch_group_id" = ANY (_shops)) AND ("branch_group_id" IS NULL OR "branch_group_id" = ANY (_read))));
    END IF;
    RETURN EXISTS (SELECT FROM "coupons" WHERE "company_id" = _company AND "id" = _id AND ("branch_id" IN (SELECT "id" FROM "branches" WHERE "company_id" = _company AND ("id" = ANY (_branches) OR "branch_group_id" = ANY (_shops))) OR "branch_id" IS NULL AND ("branch_group_id" IS NULL OR "branch_group_id" = ANY (_read))));
END
$$;

-- Returns whether somebody who is bound to shops reads, or writes, the row of "good_properties" with an id. A new row that leads to it is checked by
-- a function, since an INSERT of a distributed database may have no query: this one runs where the rows of the company are. It may
-- answer otherwise as rows change, and is said to be immutable since RETURNING has no other functions there: it is only called with a
-- column of the new row, so that no plan has its answer.
CREATE OR REPLACE FUNCTION "reaches_good_properties"(
    _company integer, _id integer, _writes boolean, _shops integer[], _branches integer[], _read integer[], _self integer
) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    IF _writes THEN
        RETURN EXISTS (SELECT FROM "good_properties" WHERE "company_id" = _company AND "id" = _id AND ("good_id" IN (SELECT "id" FROM "goods" WHERE "company_id" = _company AND "branch_group_id" = ANY (_shops)) AND "property_id" IN (SELECT "id" FROM "properties" WHERE "company_id" = _company AND ("branch_group_id" IS NULL OR "branch_group_id" = ANY (_read)))));
    END IF;
    RETURN EXISTS (SELECT FROM "good_properties" WHERE "company_id" = _company AND "id" = _id AND ("good_id" IN (SELECT "id" FROM "goods" WHERE "company_id" = _company AND ("branch_group_id" IS NULL OR "branch_group_id" = ANY (_read))) AND "property_id" IN (SELECT "id" FROM "properties" WHERE "company_id" = _company AND ("branch_group_id" IS NULL OR "branch_group_id" = ANY (_read)))));
END
$$;

-- Returns whether somebody who is bound to shops reads, or writes, the row of "goods" with an id. A new row that leads to it is checked by
-- a function, since an INSERT of a distributed database may have no query: this one runs where the rows of the company are. It may
-- answer otherwise as rows change, and is said to be immutable since RETURNING has no other functions there: it is only called with a
-- column of the new row, so that no plan has its answer.
CREATE OR REPLACE FUNCTION "reaches_goods"(
    _company integer, _id integer, _writes boolean, _shops integer[], _branches integer[], _read integer[], _self integer
) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    IF _writes THEN
        RETURN EXISTS (SELECT FROM "goods" WHERE "company_id" = _company AND "id" = _id AND "branch_group_id" = ANY (_shops));
    END IF;
    RETURN EXISTS (SELECT FROM "goods" WHERE "company_id" = _company AND "id" = _id AND ("branch_group_id" IS NULL OR "branch_group_id" = ANY (_read)));
END
$$;

-- Returns whether somebody who is bound to shops reads, or writes, the row of "import_jobs" with an id. A new row that leads to it is checked by
-- a function, since an INSERT of a distributed database may have no query: this one runs where the rows of the company are. It may
-- answer otherwise as rows change, and is said to be immutable since RETURNING has no other functions there: it is only called with a
-- column of the new row, so that no plan has its answer.
CREATE OR REPLACE FUNCTION "reaches_import_jobs"(
    _company integer, _id integer, _writes boolean, _shops integer[], _branches integer[], _read integer[], _self integer
) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    IF _writes THEN
        RETURN EXISTS (SELECT FROM "import_jobs" WHERE "company_id" = _company AND "id" = _id AND (("branch_id" IN (SELECT "id" FROM "branches" WHERE "company_id" = _company AND (("id" = ANY (_branches) OR "branch_group_id" = ANY (_shops)) AND ("branch_group_id" IS NULL OR "branch_group_id" = ANY (_read)))) OR "branch_id" IS NULL AND "branch_group_id" = ANY (_shops)) AND ("branch_group_id" IS NULL OR "branch_group_id" = ANY (_read))));
    END IF;
    RETURN EXISTS (SELECT FROM "import_jobs" WHERE "company_id" = _company AND "id" = _id AND ("branch_id" IN (SELECT "id" FROM "branches" WHERE "company_id" = _company AND ("id" = ANY (_branches) OR "branch_group_id" = ANY (_shops))) OR "branch_id" IS NULL AND ("branch_group_id" IS NULL OR "branch_group_id" = ANY (_read))));
END
$$;

-- Returns whether somebody who is bound to shops reads, or writes, the row of "orders" with an id. A new row that leads to it is checked by
-- a function, since an INSERT of a distributed database may have no query: this one runs where the rows of the company are. It may
-- answer otherwise as rows change, and is said to be immutable since RETURNING has no other functions there: it is only called with a
-- column of the new row, so that no plan has its answer.
CREATE OR REPLACE FUNCTION "reaches_orders"(
    _company integer, _id integer, _writes boolean, _shops integer[], _branches integer[], _read integer[], _self integer
) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    IF _writes THEN
        RETURN EXISTS (SELECT FROM "orders" WHERE "company_id" = _company AND "id" = _id AND "branch_id" IN (SELECT "id" FROM "branches" WHERE "company_id" = _company AND (("id" = ANY (_branches) OR "branch_group_id" = ANY (_shops)) AND ("branch_group_id" IS NULL OR "branch_group_id" = ANY (_read)))));
    END IF;
    RETURN EXISTS (SELECT FROM "orders" WHERE "company_id" = _company AND "id" = _id AND ("branch_id" IS NULL OR "branch_id" IN (SELECT "id" FROM "branches" WHERE "company_id" = _company AND ("id" = ANY (_branches) OR "branch_group_id" = ANY (_shops)))));
END
$$;

-- Returns whether somebody who is bound to shops reads, or writes, the row of "promoted_banners" with an id. A new row that leads to it is checked by
-- a function, since an INSERT of a distributed database may have no query: this one runs where the rows of the company are. It may
-- answer otherwise as rows change, and is said to be immutable since RETURNING has no other functions there: it is only called with a
-- column of the new row, so that no plan has its answer.
CREATE OR REPLACE FUNCTION "reaches_promoted_banners"(
    _company integer, _id integer, _writes boolean, _shops integer[], _branches integer[], _read integer[], _self integer
) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    IF _writes THEN
        RETURN EXISTS (SELECT FROM "promoted_banners" WHERE "company_id" = _company AND "id" = _id AND ("branch_group_id" = ANY (_shops) AND ("good_id" IS NULL OR "good_id" IN (SELECT "id" FROM "goods" WHERE "company_id" = _company AND ("branch_group_id" IS NULL OR "branch_group_id" = ANY (_read))))));
    END IF;
    RETURN EXISTS (SELECT FROM "promoted_banners" WHERE "company_id" = _company AND "id" = _id AND (("good_id" IS NULL OR "good_id" IN (SELECT "id" FROM "goods" WHERE "company_id" = _company AND ("branch_group_id" IS NULL OR "branch_group_id" = ANY (_read)))) AND ("branch_group_id" IS NULL OR "branch_group_id" = ANY (_read))));
END
$$;

-- Returns whether somebody who is bound to shops reads, or writes, the row of "properties" with an id. A new row that leads to it is checked by
-- a function, since an INSERT of a distributed database may have no query: this one runs where the rows of the company are. It may
-- answer otherwise as rows change, and is said to be immutable since RETURNING has no other functions there: it is only called with a
-- column of the new row, so that no plan has its answer.
CREATE OR REPLACE FUNCTION "reaches_properties"(
    _company integer, _id integer, _writes boolean, _shops integer[], _branches integer[], _read integer[], _self integer
) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    IF _writes THEN
        RETURN EXISTS (SELECT FROM "properties" WHERE "company_id" = _company AND "id" = _id AND "branch_group_id" = ANY (_shops));
    END IF;
    RETURN EXISTS (SELECT FROM "properties" WHERE "company_id" = _company AND "id" = _id AND ("branch_group_id" IS NULL OR "branch_group_id" = ANY (_read)));
END
$$;
