import * as levelCalls from '@ondine/contract/above-level'
import * as catalogueCalls from '@ondine/contract/catalogue'
import * as channelCalls from '@ondine/contract/channels'
import { fillPath } from '@ondine/contract/encode-input'
import * as imageCalls from '@ondine/contract/image-calls'
import type { Envelope, Operation } from '@ondine/contract/operation'
import * as reviewCalls from '@ondine/contract/review-summaries'
import * as scoreCalls from '@ondine/contract/scores'
import * as searchCalls from '@ondine/contract/search'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scores } from '../src/features/content/scores/scores.table.ts'
import { type Actor, buildersOf } from './builders.ts'
import { MAIN_DB, startTestService, type TestService } from './service.ts'

/** Every call that shows the catalogue or the guide. */
const CALLS: readonly Operation[] = Object.values<unknown>({
  ...catalogueCalls,
  ...channelCalls,
  ...imageCalls,
  ...reviewCalls,
  ...scoreCalls,
  ...searchCalls,
  ...levelCalls,
}).filter(
  (each): each is Operation =>
    typeof each === 'object' && each !== null && 'method' in each && 'path' in each,
)

const LONG = 'x'.repeat(10_000)
const NUL = 'a\u0000b'
/** Values that are invalid for every kind of field except a text. */
const NO_VALUE = [
  LONG,
  NUL,
  '🌊',
  '',
  ' ',
  '[1]',
  '{}',
  'null',
  'undefined',
  'NaN',
  "1' or 1=1 --",
  '1,2',
  '٣',
]
const NO_NUMBER = [...NO_VALUE, '1.5', '1e3', '1e999', '0x10', '+1', '-', '9'.repeat(15), '9'.repeat(400)]
const hundredThousand = (of: string) => `[${Array.from({ length: 100_000 }, () => of).join(',')}]`
const NO_JSON = [LONG, NUL, '🌊', '', '{', 'null', '1', '"x"', '[[1]]', '[{}]', '['.repeat(9000)]

/** Invalid values, by the kind of field. */
const WRONG = {
  id: [...NO_NUMBER, '0', '-1', '01', '2147483648'],
  number: [...NO_NUMBER, '-999999999999'],
  choice: [...NO_VALUE, '0', 'constructor', '__proto__'],
  flag: [...NO_VALUE, '2', 'yes'],
  // Operators, emoji and other scripts are missing here, because they are valid text.
  text: [LONG, NUL, 'a\u001Bb', 'a\u0085b'],
  ids: [...NO_JSON, '[-1]', '[0]', '[1.5]', '[1e99]', '["1"]', '[null]', '{"0":1}', hundredThousand('1')],
  conditions: [...NO_JSON, '{"password":"x"}', '{"__proto__":{"type":"all"}}', '[]', hundredThousand('{}')],
} as const

type Kind = keyof typeof WRONG

interface Row {
  /** Valid fields; `$film`, `$series`, `$channel` are placeholders. */
  right?: Record<string, string>
  /** Kind of each field, with values outside the bounds of this field only. */
  fields: Record<string, Kind | readonly [kind: Kind, ...outside: string[]]>
  /**
   * Valid fields that refer to missing objects, with the error code, or 0 for an empty answer. An empty field
   * is omitted.
   */
  nothing?: readonly (readonly [code: number, fields: Record<string, string>])[]
}

const GUIDE: Row = {
  right: { start: '1768478400', hours: '6' },
  fields: {
    start: ['number', '-1', '4102444801'],
    offset: ['number', '-31', '31'],
    // Negative, zero, above the limit, and more than a year.
    hours: ['number', '-24', '0', '361', '8784'],
    midnight: ['number', '-1', '4102444801'],
    startHour: ['number', '-721', '721'],
    endHour: ['number', '-721', '721'],
    channelIds: 'ids',
    filters: ['conditions', '{"groups":"x"}', '{"isFta":"true"}', '{"genres":[""]}'],
  },
  nothing: [
    [0, { start: '0' }],
    [0, { start: '4102444800', offset: '30', hours: '360' }],
    [0, { channelIds: '[2147483647]' }],
    [0, { channelIds: '[]' }],
  ],
}
const TITLE: Row['fields'] = { idAsset: 'id', idCategory: 'id' }
const NO_TITLE: Row['nothing'] = [
  [-404, { idAsset: '2147483647' }],
  [-404, { idAsset: '$series' }],
  [-404, { idAsset: '', idCategory: '2147483647' }],
  [-400, { idCategory: '2147483647' }],
  [-3010, { idAsset: '' }],
]

const ROWS: Record<string, Row> = {
  hierarchy: { fields: {} },
  homeContent: { fields: { type: 'choice', shuffle: ['number', '-1', '16'] } },
  listContent: {
    fields: {
      id: 'id',
      includeRoot: 'flag',
      sort: 'choice',
      shuffle: ['number', '-1', '16'],
      offset: ['number', '-1', '1000001'],
      limit: ['number', '-1', '0', '501'],
    },
    nothing: [
      [-404, { id: '2147483647' }],
      [0, { offset: '1000000' }],
    ],
  },
  contentData: { right: { idAsset: '$film' }, fields: TITLE, nothing: NO_TITLE },
  assets: {
    right: { assetIds: '[$film]' },
    fields: { assetIds: ['ids', JSON.stringify(Array.from({ length: 201 }, (_, index) => index + 1))] },
    nothing: [
      [0, { assetIds: '[]' }],
      [0, { assetIds: '[2147483647,$series]' }],
    ],
  },
  aboveLevel: {
    right: { contentType: 'asset', contentId: '$film' },
    fields: { contentType: 'choice', contentId: 'id' },
    nothing: [[0, { contentId: '2147483647' }]],
  },
  removeActiveAsset: {
    right: { idAsset: '$film' },
    fields: { idAsset: 'id' },
    nothing: [[0, { idAsset: '2147483647' }]],
  },
  restoreActiveAsset: {
    right: { idAsset: '$film' },
    fields: { idAsset: 'id' },
    nothing: [[0, { idAsset: '2147483647' }]],
  },
  activeAssets: {
    fields: {
      allAssets: ['number', '1.5'],
      contentTypeFilter: ['choice', 'movie,', 'movie,movie,movie', 'MOVIE'],
      watchingMin: ['number', '-1', '101'],
      watchingMax: ['number', '-1', '101'],
      commercialModel: ['choice', 'svod'],
    },
    nothing: [[-400, { watchingMin: '100', watchingMax: '0' }]],
  },
  liveEvents: { fields: {} },
  listChannels: { fields: {} },
  epg: GUIDE,
  epgGrid: GUIDE,
  epgEvent: {
    right: { idChannel: '$channel', idEvent: '$programme' },
    fields: { idChannel: ['number', '-1', '2147483648'], idEvent: 'id' },
    nothing: [
      [-404, { idEvent: '2147483647' }],
      [-404, { idChannel: '2147483647' }],
      [-404, { idChannel: '0', idEvent: '2147483647' }],
    ],
  },
  search: {
    right: { term: 'houle' },
    fields: {
      term: ['text', 'x'.repeat(201)],
      searchBy: 'choice',
      type: 'choice',
      count: ['number', '-1', '0', '201'],
      filter: ['conditions', '{}', '{"AD_LIACTORS":["x"]}', '{"AD_LIACTORS":""}', '{"type":"everything"}'],
      itemsPerPage: ['number', '-1', '0', '101'],
      page: ['number', '-1', '0', '10001'],
    },
    nothing: [
      [0, { term: `& | ! ( ) : * <-> ' " \\ %_` }],
      [0, { term: '🌊🏴‍☠️' }],
      [0, { term: '\u202Ex\u2069' }],
      [0, { page: '10000' }],
      [0, { searchBy: 'AD_LIACTORS', term: "'; drop table assets; --" }],
    ],
  },
  related: {
    right: { contentId: '$film' },
    fields: {
      contentId: 'id',
      contentType: 'choice',
      extras: [
        'conditions',
        '{"count":-1}',
        '{"count":51}',
        '{"count":"5"}',
        '{"order":"up"}',
        '{"criteria":["x"]}',
      ],
    },
    nothing: [
      [-404, { contentId: '2147483647' }],
      [-404, { contentId: '$series' }],
      [-404, { contentId: '2147483647', contentType: 'category' }],
    ],
  },
  aISummary: { right: { idAsset: '$film' }, fields: TITLE, nothing: NO_TITLE },
  assetScore: { right: { idAsset: '$film' }, fields: TITLE, nothing: NO_TITLE },
  changeScoreAsset: {
    right: { idAsset: '$film', score: '0' },
    fields: { ...TITLE, score: ['number', '-1', '6'] },
    nothing: NO_TITLE.map(([code, fields]) => [code, { ...fields, score: '5' }]),
  },
  imgdata: {
    right: { type: 'asset', objectId: '$film', format_h: '360' },
    fields: {
      type: 'choice',
      objectId: ['text', '', '-1', '0', '2147483648', '../../etc/passwd', '🌊', '1.5', '[1]'],
      kind: 'choice',
      format_w: ['number', '-1', '0', '10001', '7'],
      format_h: ['number', '-1', '0', '10001', '7'],
      format: 'choice',
      avatar: ['number', '-1', '2147483648'],
    },
    nothing: [
      [-404, { objectId: '2147483647' }],
      [-404, { objectId: '$series' }],
      [-404, { type: 'channel', objectId: '2147483647' }],
      [-404, { type: 'programme', objectId: '2147483647' }],
      [-404, { type: 'image', objectId: '../../../../etc/passwd' }],
    ],
  },
}

describe.each(MAIN_DB)('calls for the catalogue and the guide, on a database of kind %s', (kind) => {
  let service: TestService
  let actor: Actor
  const names: Record<string, string> = {}

  beforeAll(async () => {
    service = await startTestService(kind)
    const build = buildersOf(service.context)
    actor = await build.actor()
    const film = await build.asset('La Houle')
    // Keeps ids of categories different from ids of assets.
    for (let count = 0; count < 5; count++) names.$series = String((await build.series(`Série ${count}`)).id)
    const channel = await build.channel('Rive', { kind: 'sequence', titles: ['x'] })
    Object.assign(names, { $film: String(film.id), $channel: String(channel.id), $programme: '1' })
  })
  afterAll(async () => await service.remove())

  /** Makes a call; `fields` may contain a field twice. */
  async function ask(operation: Operation, fields: readonly (readonly [string, string])[]) {
    const filled = fields.map(([name, value]): [string, string] => [
      name,
      value.replace(/\$\w+/, (found) => names[found] ?? found),
    ])
    const path = fillPath(operation.path, filled)
    const text = new URLSearchParams(filled).toString()
    const response = await service.app.inject({
      method: operation.method,
      url: operation.method === 'GET' ? `${path}?${text}` : path,
      headers: {
        ...actor.tokens,
        ...(operation.method === 'GET' ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(operation.method === 'GET' ? {} : { payload: text }),
    })
    return response
  }
  const rightOf = (row: Row, other: Record<string, string> = {}) => Object.entries({ ...row.right, ...other })
  const isInPath = ({ path }: Operation, field: string) => path.split('/').includes(`:${field}`)

  it('each have a row here, and each of their fields a kind', () => {
    const fieldsOf = (fields: object) => Object.keys(fields).sort()
    expect(Object.fromEntries(CALLS.map(({ name, input }) => [name, fieldsOf(input.shape)]))).toEqual(
      Object.fromEntries(Object.entries(ROWS).map(([name, { fields }]) => [name, fieldsOf(fields)])),
    )
  })

  describe.each(CALLS.map((operation) => [operation.name, operation] as const))('%s', (name, operation) => {
    const row = ROWS[name] ?? { fields: {} }

    it.each(Object.entries({ ...row.fields, languageId: ['choice', 'FRA', 'xx'] as const }))(
      'refuse every invalid %s and name the field',
      async (field, described) => {
        const [kindOf, ...outside] = typeof described === 'string' ? [described] : described
        const taken: string[] = []
        for (const value of [...WRONG[kindOf], ...outside]) {
          // The path cannot contain a text of spaces, or a very long text.
          if (isInPath(operation, field) && (value.trim() === '' || value === LONG)) continue
          const answer = await ask(operation, rightOf(row, { [field]: value }))
          const { error } = answer.json<{ error?: { details?: { fields?: { field: string }[] } } }>()
          const named = error?.details?.fields?.map((each) => each.field.split('.')[0])
          const body = value.length > 100_000 && operation.method !== 'GET' ? 'body' : field
          if (answer.statusCode !== 400 || !named?.some((each) => each === field || each === body))
            taken.push(`${value.slice(0, 40)}: ${answer.statusCode} ${JSON.stringify(named)}`)
        }
        expect(taken).toEqual([])
      },
    )

    it('refuse repeated fields, and lists where a text is expected', async () => {
      for (const field of [...Object.keys(row.fields), 'languageId'].filter(
        (each) => !isInPath(operation, each),
      )) {
        const answer = await ask(operation, [
          ...rightOf(row).filter(([each]) => each !== field),
          [field, '1'],
          [field, '1'],
        ])
        expect([field, answer.statusCode]).toEqual([field, 400])
        expect(answer.json().error.details.fields.map((each: { field: string }) => each.field)).toContain(
          field,
        )
        if (operation.method === 'GET') continue
        const listed = await service.app.inject({
          method: operation.method,
          url: operation.path,
          headers: actor.tokens,
          payload: { ...row.right, [field]: ['1'] },
        })
        expect([field, listed.statusCode]).toEqual([field, 400])
      }
    })

    it.each(row.nothing ?? [])('answer %i for an unknown object: %j', async (code, fields) => {
      const answer = await ask(
        operation,
        rightOf(row, fields).filter(([, value]) => value !== ''),
      )
      const { status, ...said } = answer.json<Envelope<unknown>>()
      expect([status, 'error' in said ? said.error.code : 0]).toEqual([code === 0, code])
    })

    it.each([
      ['application/json', '{"a":'],
      ['application/json', '{"__proto__":{"a":1}}'],
      ['application/json', '['.repeat(20_000)],
      ['application/xml', '<a/>'],
      ['multipart/form-data; boundary=x', '--x--'],
    ])('refuse a body of type %s: %.30s', async (type, payload) => {
      if (operation.method === 'GET') return
      const answer = await service.app.inject({
        method: operation.method,
        url: operation.path,
        headers: { ...actor.tokens, 'content-type': type },
        payload,
      })
      expect([400, 415]).toContain(answer.statusCode)
      expect(answer.json().status).toBe(false)
    })
  })

  it('leave no effect of all that: no score is stored, and valid calls are answered', async () => {
    expect(await service.context.db.select().from(scores)).toEqual([])
    for (const name of ['hierarchy', 'contentData', 'search', 'epg', 'related']) {
      const operation = CALLS.find((each) => each.name === name)
      if (!operation) throw new Error(`There is no call ${name}.`)
      const answer = await ask(operation, rightOf(ROWS[name] ?? { fields: {} }))
      expect([name, answer.statusCode]).toEqual([name, 200])
    }
  })
})
