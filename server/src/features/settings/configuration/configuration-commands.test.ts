import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand } from '../../../../test/commands.ts'
import { startTestService, type TestService } from '../../../../test/service.ts'
import { listFields } from './field-list.ts'

let service: TestService
let folder: string

beforeAll(async () => {
  service = await startTestService()
  folder = await mkdtemp(join(tmpdir(), 'ondine-commands-'))
})
afterAll(async () => {
  await service.remove()
  await rm(folder, { recursive: true, force: true })
})

/** Runs a command as on the command line, such as `config set colors.accent #fff`. */
async function run(
  name: string,
  args?: string[],
  options?: Record<string, string | boolean>,
): Promise<string> {
  return await runCommand(service, name, args, options)
}

it('sets, reads, compares and unsets a field', async () => {
  expect(await run('config get', ['colors.accent'])).toBe('"#8fe9d6"')
  const said = await run('config set', ['colors.accent', '#ff8800'], { reason: 'Autumn', by: 'Dominique' })
  expect(said).toContain('colors.accent: (default) -> "#ff8800"')
  expect(await run('config get', ['colors.accent'])).toBe('"#ff8800"')
  expect(JSON.parse(await run('config get', [], { set: true }))).toEqual({ colors: { accent: '#ff8800' } })
  expect(await run('config diff')).toBe('colors.accent: (default) -> "#ff8800"')
  expect(await run('config history')).toMatch(/^1 {2}2026-01-15T.*Dominique: Autumn\n.*colors\.accent/s)
  await run('config undo')
  expect(await run('config get', ['colors.accent'])).toBe('"#8fe9d6"')
  await run('config restore', ['1'])
  expect(await run('config diff', ['2', '3'])).toContain('"#ff8800"')
  await run('config unset', ['colors'])
  expect(await run('config get', ['colors.accent'])).toBe('"#8fe9d6"')
})

it('undoes a restore by the command it prints', async () => {
  await run('config set', ['search.recent', '3'])
  await run('config set', ['search.recent', '4'])
  expect(await run('config restore', ['0'])).toContain('`config undo` undoes this change')
  const undone = await run('config undo')
  expect(undone).toContain('search.recent: (default) -> 4')
  expect(undone).toContain('`config undo` undoes the change before it')
  await run('config undo')
  expect(await run('config get', ['search.recent'])).toBe('3')
})

it('undoes a change of another storefront by the command it prints, and leaves the first storefront unchanged', async () => {
  await run('storefronts create', ['other', 'Other'])
  const storefront = { storefront: 'other' }
  expect(await run('config set', ['search.recent', '3'], storefront)).toContain(
    '`config undo --storefront other` undoes this change',
  )
  expect(await run('config set', ['search.recent', '4'])).toContain('`config undo` undoes this change')
  await run('config undo', [], storefront)
  expect(await run('config get', ['search.recent'], storefront)).toBe('6')
  expect(await run('config get', ['search.recent'])).toBe('4')
})

it('records who changed each kind of document', async () => {
  await run('words set', ['fra', 'signIn.title', 'Entrez'], { by: 'Camille' })
  expect(await run('words history', ['fra'])).toMatch(/^1 .*Camille\n.*signIn\.title.*"Entrez"/s)
  expect(await run('words history', ['eng'])).toBe('Nothing was ever set.')
  await run('words undo', ['fra'])
  const file = join(folder, 'menus.json')
  await writeFile(file, JSON.stringify({ fra: { header: [] } }))
  await run('menus load', [file], { by: 'Noé' })
  expect(await run('menus history', ['1'])).toMatch(/^1 .*Noé/)
  expect(await run('menus get')).toContain('"header": []')
  await run('menus undo')
  expect(await run('menus get')).toBe('{}')
})

it('accepts the value that a field takes: a number, a list, or a text that looks like a number', async () => {
  await run('config set', ['search.count', '12'])
  await run('config set', ['brand.name', '2001'])
  await run('config set', ['search.filters', '["all","movies"]'])
  expect(JSON.parse(await run('config get', ['search']))).toMatchObject({
    count: 12,
    filters: ['all', 'movies'],
  })
  expect(await run('config get', ['brand.name'])).toBe('"2001"')
})

it.each([
  ['config get', ['nothing'], /nothing is not a field/],
  ['config set', ['search.count', 'many'], /Nothing was changed:\n {2}search\.count: .*number/],
  ['config set', ['search.counts', '1'], /search\.counts: is not a field/],
  ['config unset', ['colors.acent'], /colors\.acent: is not set/],
  ['config unset', ['home.connected.first'], /home\.connected\.first: is not in the list/],
  ['config restore', ['99'], /no such revision/],
  ['config restore', ['yesterday'], /is not a number/],
  ['config load', ['/nowhere/config.json'], /no file/],
])('refuses %s %j and tells what to do', async (name, args, reason) => {
  await expect(run(name, args)).rejects.toThrow(reason)
})

it('refuses an unknown storefront', async () => {
  await expect(run('config get', [], { storefront: 'nobody' })).rejects.toThrow(/no storefront/)
})

it('sets an unknown word with a warning (V3-52)', async () => {
  const said = await run('config set', ['accounts.consent.mode', 'sometimes'])
  expect(said).toContain('Warning: accounts.consent.mode')
})

it('loads a whole configuration from a file, or nothing of it when a part is wrong', async () => {
  const file = join(folder, 'configuration.json')
  await writeFile(file, JSON.stringify({ search: { count: 7 }, style: { cardRadius: 'round' } }))
  await expect(run('config load', [file])).rejects.toThrow(/style\.cardRadius/)
  await writeFile(file, '{"search": ')
  await expect(run('config load', [file])).rejects.toThrow(/JSON/)
  await writeFile(file, JSON.stringify({ search: { count: 7 } }))
  await run('config load', [file])
  expect(JSON.parse(await run('config get', [], { set: true }))).toEqual({ search: { count: 7 } })
})

it('lists every field with its meaning, type and default', async () => {
  const list = await run('config fields', ['watermark'])
  expect(list).toContain(
    "player.watermark.enabled\n     Whether the viewer's name is shown over the picture (V3-41).",
  )
  expect(list).toContain('boolean; default false')
  expect(await run('config fields', ['home.connected'])).toContain('list of { id, source, title')
  for (const { path, summary } of listFields())
    expect([path, summary]).toEqual([path, expect.stringMatching(/\S\.$/)])
})

it('keeps the configuration of a second storefront separate', async () => {
  await run('storefronts create', ['rive', 'Rive'], { hosts: 'rive.test', networks: '192.0.2.0/24' })
  await run('config set', ['search.count', '3'], { storefront: 'rive' })
  expect(await run('config get', ['search.count'], { storefront: 'rive' })).toBe('3')
  expect(await run('config get', ['search.count'])).not.toBe('3')
  expect(await run('storefronts list')).toContain('rive: Rive (rive.test, 192.0.2.0/24)')
  await expect(run('storefronts create', ['rive', 'Rive'])).rejects.toThrow(/already/)
})

it('gives an operator a token once, which can be revoked and replaced', async () => {
  const token = (await run('operators create', ['Dominique'])).split('\n').at(-1) ?? ''
  expect(token).toMatch(/^[\w-]{43}$/)
  const read = async () =>
    await service.app.inject({ url: '/operator/configuration', headers: { 'x-operator-token': token } })
  expect((await read()).statusCode).toBe(200)
  await expect(run('operators create', ['Dominique'])).rejects.toThrow(/already/)
  await run('operators revoke', ['Dominique'])
  expect((await read()).statusCode).toBe(403)
  expect(await run('operators list')).toMatch(/Dominique: since .*, revoked 2026-01-15/)
  await expect(run('operators revoke', ['Dominique'])).rejects.toThrow(/no operator/)
  const next = (await run('operators create', ['Dominique'])).split('\n').at(-1)
  expect(next).not.toBe(token)
  await expect(run('operators create', ['a\nb'])).rejects.toThrow(/Name/)
})
