import { Extensions } from "type-graphql";

/** The extension of a query that can be subscribed to, too: the description of the subscription. */
export const FOLLOWED = "followed";

/**
 * Makes a subscription of the same name beside a query that lists the journal in pages: it goes on with the nodes of the pages as
 * they come. Its arguments are `companyId`, `after` and the fields of `filter`.
 */
export const Followed = (description: string): MethodDecorator => Extensions({ [FOLLOWED]: description });
