import type { Publication } from '@ondine/contract/publication'
import {
  type DocumentNode,
  execute,
  GraphQLError,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql'
import { LRUCache } from 'lru-cache'

/** Resolvers of the schema's fields. */
export interface PublicationSource {
  /** Returns the menus in a language. @throws if the language is unknown */
  publication(arguments_: { language: string }): Promise<Publication>
}

/** Limits of a query in characters and tokens. The query that clients send has about 60 tokens. */
const LONGEST_QUERY = 2000
const MOST_TOKENS = 200

const text = { type: new GraphQLNonNull(GraphQLString) }

const menuLink = new GraphQLObjectType({
  name: 'MenuLink',
  description: 'An entry inside a menu entry.',
  fields: { id: text, title: text, reference: text, image: text },
})

const menuEntry = new GraphQLObjectType({
  name: 'MenuEntry',
  description: 'An entry of the header, or a column of the footer.',
  fields: { title: text, reference: text, image: text, content: listOf(menuLink) },
})

const publication = new GraphQLObjectType({
  name: 'Publication',
  description: 'The menus of a storefront in one language.',
  fields: { header: listOf(menuEntry), footer: listOf(menuEntry) },
})

/**
 * The whole schema. No type contains itself, so no query can be nested deeper than the menus. `readQuery` limits the
 * length of a query.
 */
const schema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: 'Query',
    fields: { publication: { type: new GraphQLNonNull(publication), args: { language: text } } },
  }),
})

function listOf(type: GraphQLObjectType) {
  return { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type))) }
}

/**
 * Parses and validates a query.
 *
 * @param introspection whether the query may use introspection, for development only
 * @throws GraphQLError for a query that is too long, not GraphQL, or invalid for the schema
 */
export function readQuery(query: string, { introspection }: { introspection: boolean }): DocumentNode {
  const key = `${introspection} ${query}`
  const read = READ.get(key)
  if (read) return read
  if (query.length > LONGEST_QUERY) throw new GraphQLError(`A query has at most ${LONGEST_QUERY} characters.`)
  const document = parse(query, { maxTokens: MOST_TOKENS, noLocation: true })
  const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule]
  const [fault] = validate(schema, document, rules, { maxErrors: 1, hideSuggestions: !introspection })
  if (fault) throw fault
  READ.set(key, document)
  return document
}

/** Cache of valid queries. Clients send few different queries, which differ only in the language. */
const READ = new LRUCache<string, DocumentNode>({ max: 400 })

/** Answers a query from {@link readQuery}. */
export async function answerQuery(document: DocumentNode, source: PublicationSource) {
  return await execute({ schema, document, rootValue: source })
}
