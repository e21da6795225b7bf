import { ERRORS } from '@ondine/contract/errors'
import { expect, test } from 'vitest'
import { ApiError, NO_ANSWER } from '../../api/api-error.ts'
import type { StreamLicence } from '../content/playable.ts'
import { CodeNotEntered, EngineError, playerError } from './player-error.ts'
import { streamConfiguration } from './shaka-configuration.ts'
import { engineError, isInterruption } from './shaka-error.ts'

function refusal(name: keyof typeof ERRORS): ApiError {
  const { code, status } = ERRORS[name]
  return new ApiError({ code, status, message: name })
}

test('V8-02 V2.4-23 a refusal has the service’s text and the code’s absolute value', () => {
  const refused = refusal('tooManySessions')
  const error = playerError(refused)
  expect(error).toEqual({ kind: 'refused', code: '440', next: 'retry', refusal: 'tooManySessions', refused })
})

test('A8.1-05 a refusal before the beginning says when it is', () => {
  const { code, status } = ERRORS.resourceNotActive
  const details = { availableFrom: 1_800_000_000 }
  const error = playerError(new ApiError({ code, status, message: '', details }))
  expect(error).toMatchObject({ refusal: 'resourceNotActive', ...details })
})

test('every error has the most helpful next step', () => {
  expect(playerError(refusal('noViewingRights')).next).toBe('offers')
  expect(playerError(refusal('channelNotAllowed')).next).toBe('offers')
  expect(playerError(refusal('tokenInvalid')).next).toBe('signIn')
  expect(playerError(refusal('invalidAccessCode')).next).toBe('retry')
  expect(playerError(refusal('accountSuspended')).next).toBe('back')
  expect(playerError(refusal('resourceNotActive')).next).toBe('back')
  expect(playerError(new EngineError('network', 'S1002')).next).toBe('retry')
  expect(playerError(new EngineError('browser', 'S6001')).next).toBe('back')
})

test('A6-06 without the parental code, the viewer can enter it, and is not told that it was wrong', () => {
  const error = playerError(new CodeNotEntered(refusal('invalidAccessCode')))
  expect(error).toEqual({ kind: 'code', code: '1612', next: 'code', refusal: null })
})

test('a missing answer counts as a network error', () => {
  expect(playerError(new ApiError({ code: NO_ANSWER, status: NO_ANSWER, message: '' })).kind).toBe('network')
})

test('an unexpected error is unknown and can be retried', () => {
  expect(playerError(new RangeError('x'))).toEqual({
    kind: 'unknown',
    code: 'RangeError',
    next: 'retry',
    refusal: null,
  })
  expect(playerError('oops').kind).toBe('unknown')
})

test('Shaka’s categories become kinds of the closed list', () => {
  const shaka = (category: number, code: number) => engineError({ severity: 2, category, code })
  expect(shaka(1, 1002)).toMatchObject({ kind: 'network', code: 'S1002' })
  expect(shaka(3, 3016).kind).toBe('media')
  expect(shaka(4, 4000).kind).toBe('media')
  expect(shaka(6, 6007).kind).toBe('licence')
  // With several keys, Shaka reports a failed licence as a manifest without a usable rendition.
  expect(playerError(shaka(4, 4012))).toMatchObject({ kind: 'licence', next: 'retry' })
  expect(shaka(6, 6001).kind).toBe('browser')
  expect(shaka(9, 9000).kind).toBe('unknown')
  expect(isInterruption({ severity: 2, category: 7, code: 7000 })).toBe(true)
})

const stream = (licence: StreamLicence | null) => ({
  licence,
  startAt: null,
  languages: { audio: 'fra', sub: 'non' },
})

test('V4-26 an unknown key system raises the unsupported-provider error', () => {
  // Parses JSON, because the contract's type does not allow this value, which only a faulty service sends.
  const licence: StreamLicence = JSON.parse('{"keySystem":"org.example.drm","licenceUrl":"/licence"}')
  expect(() => streamConfiguration(stream(licence), 'https://ondine.test')).toThrow(
    expect.objectContaining({ kind: 'unsupported-provider' }),
  )
})

test('V4-27 resolves the licence address, and sends a provider’s token with it', () => {
  const { drm } = streamConfiguration(
    stream({ keySystem: 'com.widevine.alpha', licenceUrl: '/licence/1', token: 'abc' }),
    'https://ondine.test',
  )
  expect(drm.servers).toEqual({ 'com.widevine.alpha': 'https://ondine.test/licence/1' })
  expect(drm.advanced).toEqual({ 'com.widevine.alpha': { headers: { authorization: 'Bearer abc' } } })
  expect(streamConfiguration(stream(null), 'https://ondine.test').drm.servers).toEqual({})
})

test('V4-27 creates the decryption module with the robustness that the licence demands', () => {
  const { drm } = streamConfiguration(
    stream({ keySystem: 'com.widevine.alpha', licenceUrl: '/w', robustness: 'HW_SECURE_ALL' }),
    'https://ondine.test',
  )
  expect(drm.advanced).toEqual({ 'com.widevine.alpha': { videoRobustness: ['HW_SECURE_ALL'] } })
})

test('V2.1-16 a download plays with the licence that the decryption module has kept, and leaves it there', () => {
  const kept = { keySystem: 'com.widevine.alpha', sessionId: 'session-1', initData: 'AAEC' } as const
  const { drm } = streamConfiguration(
    stream({ keySystem: 'com.widevine.alpha', licenceUrl: 'download-keys:1-2', kept }),
    'https://ondine.test',
  )
  expect(drm.advanced).toEqual({
    'com.widevine.alpha': { sessionType: 'persistent-license', persistentStateRequired: true },
  })
  expect(drm).toMatchObject({
    persistentSessionOnlinePlayback: true,
    persistentSessionsMetadata: [
      { sessionId: 'session-1', initData: new Uint8Array([0, 1, 2]), initDataType: 'cenc' },
    ],
  })
  expect(drm.initDataTransform?.()).toEqual(new Uint8Array([0, 1, 2]))
  // The settings of the download must not remain for the next stream, which is not a download.
  expect(streamConfiguration(stream(null), 'https://ondine.test').drm).toMatchObject({
    persistentSessionOnlinePlayback: false,
    persistentSessionsMetadata: [],
    initDataTransform: undefined,
  })
})

test('V2.1-16 a download with a licence of FairPlay plays with its certificate, without a request', () => {
  const kept = {
    keySystem: 'com.apple.fps',
    sessionId: 'session-1',
    initData: 'AAEC',
    certificate: 'MII=',
  } as const
  const licence = { keySystem: 'com.apple.fps', licenceUrl: 'download-keys:1-2', kept } as const
  const { drm } = streamConfiguration(stream(licence), 'https://ondine.test')
  expect(drm.advanced).toEqual({
    'com.apple.fps': {
      sessionType: 'persistent-license',
      persistentStateRequired: true,
      serverCertificate: new Uint8Array([48, 130]),
    },
  })
  expect(drm.persistentSessionsMetadata).toEqual([
    { sessionId: 'session-1', initData: new Uint8Array([0, 1, 2]), initDataType: 'sinf' },
  ])
})
