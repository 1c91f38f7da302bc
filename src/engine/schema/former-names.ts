import { isInputObjectType, Kind, visit, type DocumentNode, type GraphQLSchema } from "graphql";
import { FORMER_NAME } from "../../core/inputs/input-fields.js";
import { deprecationOf } from "./deprecation.js";

/**
 * The earlier names of input types, which GraphQL cannot mark as deprecated. Documents may declare their variables by them until
 * the day that the type names.
 */
export class FormerNames {
  /** The names of today by those of before. */
  private readonly names: ReadonlyMap<string, string>;
  private readonly pattern: RegExp | null;

  /** @throws Error for an earlier name without days. */
  constructor(schema: GraphQLSchema) {
    const renamed = Object.values(schema.getTypeMap()).flatMap((type) => {
      const was = isInputObjectType(type) ? type.extensions[FORMER_NAME] : undefined;
      return was === undefined ? [] : [[nameIn(was as string), type.name] as const];
    });
    this.names = new Map(renamed);
    this.pattern =
      renamed.length === 0 ? null : new RegExp(`\\b(?:${[...this.names.keys()].join("|")})\\b`, "u");
  }

  /** Returns the document with the names of today in the types of its variables. */
  replaceIn(document: DocumentNode, text: string): DocumentNode {
    if (this.pattern?.test(text) !== true) return document;
    return visit(document, {
      VariableDefinition: (variable) =>
        visit(variable, {
          NamedType: (node) => {
            const value = this.names.get(node.name.value);
            return value === undefined ? undefined : { ...node, name: { kind: Kind.NAME, value } };
          },
        }),
    });
  }
}

/** Describes an earlier name: the sentence behind the description of its type. */
export function describeFormerName(was: string): string {
  const name = nameIn(was);
  return `Documents may call it \`${name}\`${was.slice(name.length)}`;
}

function nameIn(was: string): string {
  deprecationOf(was);
  return was.slice(0, was.indexOf(","));
}
