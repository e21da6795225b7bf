import { oauthToken, session } from '@ondine/contract/accounts'
import { customerReference } from '@ondine/contract/customer-reference'
import { adultCode, setAdultCode, validateAdultCode } from '@ondine/contract/parental-code'
import { readAsset } from '@ondine/contract/playback'
import { beforeEach, describe, expect, it } from 'vitest'
import { PASSWORD } from '../../../../test/builders.ts'
import { runCommand } from '../../../../test/commands.ts'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { createAccount } from '../../people/profiles/new-account.service.ts'

const FILM = { idAudioLang: 'fra', idSubtitleLang: 'non', format: 'dash' } as const
const DAY_MS = 86_400_000

describe.each(MAIN_DB)('accounts for operators, on a database of kind %s', (kind) => {
  let film: { id: number; trackSet: { encryption: { keyId: string } | null } | null }
  const scene = testScene(kind, {
    prepared: async ({ make }) => {
      film = await make.asset('La Houle', { inPackages: ['films'] })
      await make.asset('Front froid', { inPackages: ['more'] })
    },
  })
  let email: string
  beforeEach(() => {
    email = scene.actor.account.email
  })

  const run = async (name: string, args: string[] = [], options: Record<string, string> = {}) =>
    await runCommand(scene.service, `accounts ${name}`, [email, ...args], options)
  const play = async (tokens = scene.actor.tokens) =>
    await scene.service.call(readAsset, { idAsset: film.id, ...FILM }, tokens)
  /** Waits until a play call answers with this error code. Caches learn of changes a moment later. */
  const playsWith = async (code: number, tokens = scene.actor.tokens) =>
    await expect.poll(async () => (await play(tokens)).error.code).toBe(code)

  it('A3-01 finds accounts by a part of the address or of the name, and by the customer reference', async () => {
    const { db, storefronts } = scene.service.context
    const other = await storefronts.create({ apiKey: `rive-${scene.actor.account.id}`, name: 'Rive' })
    const person = {
      email: 'ines_leroy@ondine.test',
      password: PASSWORD,
      firstName: 'Inès',
      lastName: 'Leroy',
    }
    const { account } = await createAccount(db, other.id, person)
    const at = { storefront: other.apiKey }
    const list = async (text: string) => await runCommand(scene.service, 'accounts list', [text], at)
    const line = `${customerReference(account.id)}  ines_leroy@ondine.test  Inès Leroy  ACTIVE`
    for (const text of ['S_LEROY@', 'inès l', '']) expect(await list(text)).toBe(line)
    for (const text of ['ines%', 'nobody']) expect(await list(text)).toBe('There are no such accounts.')
    const show = async (named: string, options = {}) =>
      await runCommand(scene.service, 'accounts show', [named], options)
    for (const named of [customerReference(account.id), 'Ines_Leroy@ondine.test'])
      expect(await show(named, at)).toContain(line)
    // The account belongs to another storefront than the first one.
    await expect(show(account.email)).rejects.toThrow(/no account/)
    await expect(show(customerReference(account.id))).rejects.toThrow(/no account/)
  })

  it('shows the profiles, the parental code and the rights of an account', async () => {
    const { tokens } = scene.actor
    await scene.service.call(setAdultCode, { adultCode: '2580' }, tokens)
    await run('give', ['films'])
    await run('give', ['more'], { until: '2026-01-31' })
    const said = await run('show')
    expect(said).toContain('profiles: 1, devices: 0, parental code: yes, password: yes')
    expect(said).toContain('right to the package films, operator, from 2026-01-15 without end')
    expect(said).toContain('right to the package more, operator, from 2026-01-15 until 2026-01-31')
    await run('take', ['films'])
    expect(await run('show')).not.toContain('films')
  })

  it('A3-04 suspends an account: it no longer plays, also with a session that runs, until it is reopened', async () => {
    await run('give', ['films'])
    await playsWith(0)
    const { result } = await play()
    const keyId = Buffer.from(film.trackSet?.encryption?.keyId ?? '', 'hex').toString('base64url')
    const licence = async () =>
      await scene.service.app.inject({
        method: 'POST',
        url: result.drm?.licenceUrl ?? '',
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify({ kids: [keyId], type: 'temporary' }),
      })
    expect((await licence()).statusCode).toBe(200)
    expect(await run('suspend')).toBe(`Suspended ${email}.`)
    await playsWith(-2409)
    expect((await licence()).statusCode).toBe(403)
    expect((await scene.signIn(email)).status).toBe(200)
    await expect(run('suspend')).rejects.toThrow('The account is SUSPENDED.')
    await run('reopen')
    await playsWith(0)
    await expect(run('reopen')).rejects.toThrow('The account is ACTIVE.')
  })

  it('A3-04 bans an account: its holder cannot sign in, and tokens are refused, until it is reopened', async () => {
    await run('suspend')
    expect(await run('ban')).toBe(`Banned ${email}.`)
    await playsWith(-1)
    expect((await scene.service.call(session, {}, scene.actor.tokens)).error.code).toBe(-1)
    expect((await scene.signIn(email)).error.code).toBe(-3000)
    await run('reopen')
    expect((await scene.signIn(email)).status).toBe(200)
  })

  it('gives the right to a package until the end of a day, and takes it', async () => {
    const { code: refused } = (await play()).error
    expect(refused).not.toBe(0)
    expect(await run('give', ['films'], { until: '2026-01-16' })).toBe(`${email} has films until 2026-01-16.`)
    await playsWith(0)
    await scene.at(Date.parse('2026-01-16T23:59:59Z'), async () => await playsWith(0))
    await scene.at(Date.parse('2026-01-17T00:00:00Z'), async () => await playsWith(refused))
    // The new right replaces the earlier one.
    await run('give', ['films'], { until: '2026-01-15' })
    await scene.at(NOON + DAY_MS, async () => await playsWith(refused))
    await run('take', ['films'])
    await playsWith(refused)
    await expect(run('take', ['films'])).rejects.toThrow(/No operator gave/)
    await run('give', ['films'])
    await playsWith(0)
  })

  it.each([
    [{ until: 'tomorrow' }, 'films', /Give a day/],
    [{ until: '2026-01-14' }, 'films', /past/],
    [{}, 'nothing', /no package nothing\. Packages: .*films/],
  ])('refuses to give %j %s', async (options, key, reason) => {
    await expect(run('give', [key], options)).rejects.toThrow(reason)
  })

  it('A7.1-10 deletes an account only with its reference', async () => {
    const reference = customerReference(scene.actor.account.id)
    expect(await run('delete')).toContain(`--reference ${reference}`)
    await expect(run('delete', [], { reference: '00000000' })).rejects.toThrow(reference)
    expect((await scene.signIn(email)).status).toBe(200)
    expect(await run('delete', [], { reference })).toContain(`Deleted ${email}.`)
    const grant = { username: email, password: PASSWORD, grant_type: 'password' } as const
    expect((await scene.service.call(oauthToken, grant)).error.code).toBe(-3000)
    await expect(run('show')).rejects.toThrow(/no account/)
    await expect(runCommand(scene.service, 'accounts show', [reference])).rejects.toThrow(/no account/)
  })

  it('A5-19 removes a forgotten parental code, also after too many guesses', async () => {
    const { tokens } = scene.actor
    await expect(run('forget-code')).rejects.toThrow(/no parental code/)
    await scene.service.call(setAdultCode, { adultCode: '2580' }, tokens)
    const validate = async (parentalCode: string) =>
      (await scene.service.call(validateAdultCode, { parentalCode }, tokens)).status
    for (let index = 0; index < 5; index++) await validate('0000')
    expect(await validate('2580')).toBe(429)
    await run('forget-code')
    expect((await scene.service.call(adultCode, {}, tokens)).result).toEqual({ set: false })
    expect((await scene.service.call(setAdultCode, { adultCode: '1111' }, tokens)).status).toBe(200)
    expect(await validate('1111')).toBe(200)
  })

  it('leaves an account alone that is not activated yet', async () => {
    const { account } = await scene.make.actor({ status: 'PENDING_ACTIVATION' })
    for (const name of ['suspend', 'ban', 'reopen'])
      await expect(runCommand(scene.service, `accounts ${name}`, [account.email])).rejects.toThrow(
        'The account is PENDING_ACTIVATION.',
      )
  })
})
