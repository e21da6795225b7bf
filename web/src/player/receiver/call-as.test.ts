import { readAsset } from '@ondine/contract/playback'
import { afterEach, expect, test, vi } from 'vitest'
import { NO_ANSWER } from '../../api/api-error.ts'
import { callAs } from './call-as.ts'

vi.mock('../../api/environment.ts', () => ({
  environment: () => ({ language: 'fra', identityKey: 'demo' }),
}))

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const INPUT = { idAsset: 2, idAudioLang: 'fra', idSubtitleLang: 'non', format: 'dash' } as const

test('V4-56 a screen calls with the rights of the profile that has cast', async () => {
  let sent: Request | undefined
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    sent = new Request(new URL(address, 'https://service.example'), init)
    return Response.json({ status: true, result: { url: '/a.mpd' } })
  })
  const call = callAs({ profileToken: 'lent', parentalProof: 'proof' })
  expect(await call(readAsset, INPUT)).toEqual({ url: '/a.mpd' })
  expect(sent?.headers.get('x-profile-token')).toBe('lent')
  expect(`${sent?.url} ${await sent?.text()}`).toContain('parentalProof=proof')
})

test('V4-56 a screen whose connection answers nothing shows an error after 30 s', async () => {
  const limit = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
  vi.stubGlobal(
    'fetch',
    async (_address: string, { signal }: RequestInit) =>
      await new Promise<Response>((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
      }),
  )
  const failed = expect(callAs({ profileToken: 'lent' })(readAsset, INPUT)).rejects.toMatchObject({
    code: NO_ANSWER,
  })
  limit.abort()
  await failed
  expect(timeout).toHaveBeenCalledExactlyOnceWith(30_000)
})
