import "./forms.permissions.js";
import { formCrud, FormResolver } from "./form.resolver.js";

/** Resolvers of forms. */
export const formsResolvers = [...formCrud, FormResolver] as const;
