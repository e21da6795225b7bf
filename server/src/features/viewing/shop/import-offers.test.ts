import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readOffer } from '@ondine/contract/offers'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../../../../test/commands.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { OFFERS, PACKAGES, shopScene } from '../../../../test/shop-scene.ts'

const DAY_MS = 86_400_000

describe.each(MAIN_DB)('the file of offers, on a database of kind %s', (kind) => {
  const { scene, operator, ids, take, faultsOf, offersOf, keysOf, idOf } = shopScene(kind)

  it('a new price is a new revision, and earlier revisions are kept', async () => {
    const cheaper = (PACKAGES + OFFERS).replace('price: "3.99"', 'price: "2.99"')
    expect((await take(cheaper)).result).toMatchObject({ added: [], changed: ['recent-rental'] })
    const { result } = await scene.service.call(readOffer, { key: 'recent-rental' }, operator)
    expect(result).toMatchObject({ priceWithVat: '2.99', revision: 2 })
    expect(result.revisions.map(({ revision, terms }) => [revision, terms.cents])).toEqual([
      [2, 299],
      [1, 399],
    ])
    expect((await take(cheaper)).result).toMatchObject({ added: [], changed: [] })
    expect((await offersOf({ contentId: ids.encre }))[0]?.priceWithVat).toBe('2.99')
  })

  it('the commands import, list, show and withdraw offers', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ondine-offers-'))
    try {
      const path = join(folder, 'offers.yaml')
      await writeFile(
        path,
        'offers:\n  - { key: typed, type: subscription, name: { fra: Tapée }, price: "1.00", every: week, packages: [cinema] }\n',
      )
      expect(await runCommand(scene.service, 'offers import', [path])).toBe('added: typed')
      // A promotion names an offer by this number.
      expect(await runCommand(scene.service, 'offers list')).toContain(
        `${await idOf('typed')}  typed  Tapée  1.00 EUR  subscription, on sale, revision 1`,
      )
      expect(await runCommand(scene.service, 'offers show', ['typed'])).toContain('1.00 EUR')
      await runCommand(scene.service, 'offers withdraw', ['typed'])
      expect(await runCommand(scene.service, 'offers list')).toContain('subscription, withdrawn, revision 1')
      await writeFile(path, 'offers:\n  - { key: typed, type: ppv }\n')
      await expect(runCommand(scene.service, 'offers import', [path])).rejects.toThrow(
        /nothing was changed.\n {2}line 2: /,
      )
      await expect(runCommand(scene.service, 'offers show', ['nothing'])).rejects.toThrow(
        /There is no offer nothing/,
      )
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('the examples of the operating guide are imported as they are written', async () => {
    const guide = await readFile(new URL('../../../../../docs/operating.md', import.meta.url), 'utf8')
    const examples = [...guide.matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, file = '']) => file)
    const [offers = '', vouchers = ''] = examples
    expect(examples).toHaveLength(2)
    // These titles and channels are in the demonstration.
    await scene.make.asset('Interférences', { startsAt: NOON + DAY_MS, endsAt: NOON + 2 * DAY_MS })
    for (const number of [1, 2])
      await scene.make.channel(`Canal ${number}`, { kind: 'sequence', titles: ['La Houle'] }, { number })

    const folder = await mkdtemp(join(tmpdir(), 'ondine-offers-'))
    try {
      const path = join(folder, 'example.yaml')
      await writeFile(path, offers)
      expect(await runCommand(scene.service, 'offers import', [path])).toMatch(/^added: .*concert/m)
      await writeFile(path, vouchers)
      expect(await runCommand(scene.service, 'vouchers import', [path])).toBe(
        'added: summer, leaflet, present',
      )
    } finally {
      await rm(folder, { recursive: true })
      await take(PACKAGES + OFFERS)
    }
  })

  const plan = (more: string) =>
    `offers:\n  - key: wrong\n    type: subscription\n    name: { fra: A }\n    every: month\n    packages: [cinema]\n${more}`
  it.each([
    [
      'a price that is a number',
      plan('    price: 8.99'),
      /^line 7: offers.0.price must be an amount in quotation/,
    ],
    ['a price below nothing', plan('    price: "-1"'), /^line 7: offers.0.price must be an amount/],
    ['a price with parts of a cent', plan('    price: "1.999"'), /^line 7: offers.0.price must be an amount/],
    ['a huge price', plan('    price: "99999999"'), /^line 7: offers.0.price must be an amount/],
    ['no price', plan(''), /^line 2: offers.0.price must be an amount/],
    [
      'a field that does not exist',
      plan('    price: "1"\n    colour: red'),
      /^line 8: offers.0.colour is not known/,
    ],
    [
      'a package that is not there',
      plan('    price: "1"').replace('[cinema]', '[nothing]'),
      /^line 6: offers.0.packages.0 names no package: nothing/,
    ],
    [
      'a time that is none',
      plan('    price: "1"').replace('month', 'never'),
      /^line 5: offers.0.every must be a time/,
    ],
    [
      'an end before the beginning',
      plan('    price: "1"\n    validFrom: "2026-02-01"\n    validTo: "2026-01-01"'),
      /^line 9: offers.0.validTo must be later/,
    ],
    [
      'an introduction that costs more',
      plan('    price: "1"\n    introduction: { price: "2", periods: 1 }'),
      /^line 8: offers.0.introduction.price must be lower/,
    ],
    [
      'itself as what it requires',
      plan('    price: "1"\n    requires: [wrong]'),
      /^line 8: offers.0.requires must not name the offer itself/,
    ],
    [
      'an unknown offer as what it excludes',
      plan('    price: "1"\n    excludes: [nothing]'),
      /^line 8: offers.0.excludes.0 names no subscription/,
    ],
    [
      'another type than it had',
      'offers:\n  - { key: ultra, type: ppv, name: { fra: A }, price: "1", event: La régate }',
      /^line 2: offers.0.type cannot change: ultra is of type subscription/,
    ],
    [
      'a rental of nothing',
      'offers:\n  - { key: r, type: transactional, name: { fra: A }, price: "1" }',
      /^line 2: offers.0.type must have one of titles, class, season/,
    ],
    [
      'a rental of two things',
      'offers:\n  - { key: r, type: transactional, name: { fra: A }, price: "1", class: recent, titles: [Encre] }',
      /must have one of/,
    ],
    [
      'a title that is not there',
      'offers:\n  - { key: r, type: transactional, name: { fra: A }, price: "1",\n      titles: [Encre, Rien] }',
      /^line 3: offers.0.titles.1 names no title: Rien/,
    ],
    [
      'a season that is not there',
      'offers:\n  - { key: r, type: transactional, name: { fra: A }, price: "1",\n      season: { series: Le Métier, number: 9 } }',
      /^line 3: offers.0.season.number names no season/,
    ],
    [
      'a channel without hours',
      'offers:\n  - { key: r, type: ppv, name: { fra: A }, price: "1", channel: 7 }',
      /hours must be given for a channel/,
    ],
    [
      'a channel that is not there',
      'packages:\n  - { key: p, name: { fra: A },\n      channels: [99] }',
      /^line 3: packages.0.channels.0 names no channel: 99/,
    ],
    [
      'a key twice',
      'packages:\n  - { key: p, name: { fra: A } }\n  - { key: p, name: { fra: B } }',
      /^line 3: packages.1.key stands twice: p/,
    ],
    ['another file', '{ "a": 1 ]', /^line 1: YAML/],
    ['no mapping', '- a', /^line 1: the file is not a list of names and values/],
    ['aliases', 'offers: &a []\npackages: *a', /alias/i],
    [
      'a character that no database takes',
      'packages:\n  - { key: p, name: { fra: "a\\0b" } }',
      /cannot be stored/,
    ],
  ])('a file with %s changes nothing, and its line is reported', async (_what, file, reason) => {
    const before = await keysOf()
    const faults = await faultsOf(`${file}\n`)
    expect(faults.join('\n')).toMatch(reason)
    expect(await keysOf()).toEqual(before)
  })

  it('a fault at the end of a file keeps the whole file from being imported', async () => {
    const file = `packages:
  - { key: cinema, name: { fra: Autre } }
offers:
  - { key: good, type: subscription, name: { fra: Bonne }, price: "1", every: month, packages: [cinema] }
  - { key: bad, type: subscription, name: { fra: Mauvaise }, price: "1", every: month, packages: [nothing] }
`
    expect(await faultsOf(file)).toEqual(['line 5: offers.1.packages.0 names no package: nothing'])
    expect(await keysOf()).not.toContain('good')
    // The content of the package is unchanged.
    expect((await offersOf({ contentId: ids.houle })).length).toBeGreaterThan(0)
  })

  it('a name that two titles have is a fault', async () => {
    await scene.make.asset('Jumeaux')
    await scene.make.asset('Jumeaux')
    expect(await faultsOf('packages:\n  - { key: p, name: { fra: A }, titles: [Jumeaux] }\n')).toEqual([
      'line 2: packages.0.titles.0 names 2 titles: Jumeaux',
    ])
  })
})
