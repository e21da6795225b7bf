import { OPERATIONS } from '@ondine/contract/all'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { CACHED_CALLS, isCached } from './cached-calls.ts'

const ORIGIN = 'https://service.example'

/** Names of fields that a cached answer must not have. */
const SECRET = /token$|password|licen[cs]e|secret|streamurl|proof|^k$|^key$/i

/** Returns the names of all fields of a schema. */
function fieldsOf(schema: z.ZodType): string[] {
  const names: string[] = []
  z.toJSONSchema(schema, {
    unrepresentable: 'any',
    override: ({ jsonSchema }) => void names.push(...Object.keys(jsonSchema.properties ?? {})),
  })
  return names
}

const outputs = CACHED_CALLS.flatMap((cached) =>
  OPERATIONS.filter(({ method, path }) => method === cached.method && path === cached.path),
)

test.each(outputs)('V4-07 the cached answer of $name has no secret', ({ output }) => {
  expect(fieldsOf(output).filter((name) => SECRET.test(name))).toEqual([])
})

test('V4-07 every cached call but the menus is a call of the contract', () => {
  expect(outputs.length).toBe(CACHED_CALLS.length - 1)
})

test.each([
  ['POST', '/proxy/session'],
  ['POST', '/graphql'],
  ['GET', '/proxy/epg/event/3/44'],
  ['GET', '/npvr/0'],
  ['GET', '/configuration/main/data/configuration.json'],
  ['GET', '/translations/main/fra.00000000000000000000.json'],
])('V4-07 the answer to %s %s is cached', (method, path) => {
  expect(isCached({ method, url: ORIGIN + path, body: undefined })).toBe(true)
})

test.each([
  ['POST', '/oauth/token'],
  ['POST', '/proxy/loginDevice'],
  ['POST', '/proxy/updatePassword'],
  ['POST', '/proxy/downloadHelperTokens'],
  ['POST', '/proxy/downloadAsset'],
  ['POST', '/proxy/downloadLicence'],
  ['POST', '/proxy/getVodLicense'],
  ['POST', '/proxy/readAsset'],
  ['POST', '/proxy/channelStream'],
  ['POST', '/proxy/validateAdultCode'],
  ['POST', '/proxy/logout'],
  // The path of a cached call, but a method that changes data.
  ['POST', '/npvr/0'],
  ['DELETE', '/npvr/0/12'],
  // Paths that only begin or end like the path of a cached call.
  ['GET', '/proxy/epg/event/3/44/more'],
  ['POST', '/other/proxy/session'],
  ['GET', '/media/7/v720/1.m4s'],
  ['GET', '/play/token/manifest.mpd'],
  ['GET', '/time'],
])('V4-07 the answer to %s %s is not cached', (method, path) => {
  expect(isCached({ method, url: ORIGIN + path, body: undefined })).toBe(false)
})

test.each([
  ['POST', '/proxy/contentData', 'parentalProof=abc'],
  ['GET', '/cms/search?parentalProof=abc', undefined],
])('V4-07 an answer that the parental code has opened is not cached: %s %s', (method, path, body) => {
  expect(isCached({ method, url: ORIGIN + path, body })).toBe(false)
})
