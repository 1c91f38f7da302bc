import { Field, ObjectType } from "type-graphql";

@ObjectType({ description: "Where the file with what is kept about a client is." })
export class ClientExport {
  @Field(() => String, {
    description:
      "The URL of a JSON file, made when it is read. It is good for a day at most, and asks for a token that may edit the " +
      "company's clients.",
  })
  url!: string;
}
