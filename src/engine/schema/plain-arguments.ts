import { getMetadataStorage } from "type-graphql";

type Storage = ReturnType<typeof getMetadataStorage>;
type Parameter = Storage["params"][number];
type Arguments = Readonly<Record<string, unknown>>;

/**
 * Gives resolvers their arguments as they are: graphql has coerced them, and the guard checks them. By itself type-graphql
 * makes an instance of the class of each, and waits several times for a check that nobody has asked for.
 *
 * It is called when a schema has been built, and changes what the resolvers of that schema and of earlier ones read.
 */
export function takePlainArguments(): void {
  const storage = getMetadataStorage();
  for (const resolver of [...storage.queries, ...storage.mutations, ...storage.fieldResolvers]) {
    if (resolver.params !== undefined)
      resolver.params = resolver.params.map((parameter) => plain(parameter, storage));
  }
}

function plain(parameter: Parameter, storage: Storage): Parameter {
  const { target, methodName, index } = parameter;
  const taking = (take: (args: Arguments) => unknown): Parameter => ({
    target,
    methodName,
    index,
    kind: "custom",
    options: {},
    resolver: ({ args }) => take(args),
  });
  if (parameter.kind === "custom") return { ...parameter, options: {} };
  if (parameter.kind === "arg") return taking((args) => args[parameter.name]);
  if (parameter.kind !== "args") return parameter;
  const names = namesWithin(parameter.getType() as object, storage);
  return taking((args) => {
    const given: Record<string, unknown> = {};
    for (const name of names) if (args[name] !== undefined) given[name] = args[name];
    return given;
  });
}

/** Returns the names of the arguments that a class declares, those of the classes that it extends included. */
function namesWithin(type: object, { argumentTypes }: Storage): readonly string[] {
  const fields = argumentTypes
    .filter(({ target }) => target === type || Object.prototype.isPrototypeOf.call(target, type))
    .flatMap((declared) => declared.fields ?? []);
  return fields.map(({ name }) => name);
}
