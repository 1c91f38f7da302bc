import { createParameterDecorator, Extensions } from "type-graphql";
import type { OperationContext } from "../../core/operations/operation-context.js";
import { ARGUMENT_SCHEMA } from "../../core/operations/operation-arguments.js";

/** An argument with a domain to look up. */
export function DomainArgument(
  name: string,
): (prototype: object, method: string | symbol | undefined, index: number) => void {
  const description =
    "A domain, or the host of a custom domain, in any case and script (1 to 255 characters).";
  const parameter = createParameterDecorator<OperationContext>(({ args }) => args[name] as string, {
    arg: { name, typeFunc: () => String, options: { description } },
  });
  return (prototype, method, index) => {
    const bounds = { text: "line", minLength: 1, maxLength: 255 };
    (Extensions({ [ARGUMENT_SCHEMA + name]: bounds }) as MethodDecorator)(prototype, method as string, {});
    parameter(prototype, method as string, index);
  };
}
