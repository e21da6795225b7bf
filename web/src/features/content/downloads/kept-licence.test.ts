import type { LicenceSource } from '@ondine/contract/downloads'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { KeptLicence } from './download.ts'
import { base64Of, deleteLicence, keepLicence, wantedLicence } from './kept-licence.ts'

const PSSH = 'AAAAMHBzc2g='
const MANIFEST = `<ContentProtection schemeIdUri="urn:uuid:94ce86fb-07ff-4f43-adb8-93d2fa968ca2"><cenc:pssh>BBBB</cenc:pssh></ContentProtection>
<ContentProtection schemeIdUri="urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed"><cenc:pssh>${PSSH}</cenc:pssh></ContentProtection>`

/** Ids of the media key sessions whose licences the decryption module has stored. */
const kept = new Set<string>()
let requests: string[] = []
/** Whether the decryption module answers when it is asked for a stored licence. WebKit does not, on iOS. */
let looks = true

const SOURCE: LicenceSource = {
  provider: 'axinom',
  keySystem: 'com.widevine.alpha',
  authMethod: 'token',
  licenceUrl: '/proxy/downloadLicence',
  token: 'signed',
}
const FAIR_PLAY = { ...SOURCE, keySystem: 'com.apple.fps', certificateUrl: '/certificate' } as const
const CERTIFICATE = new Uint8Array([48, 130])
const SINF = new Uint8Array([0, 0, 0, 12, ...new TextEncoder().encode('sinf'), 1, 2, 3, 4])
const INIT_SEGMENT = new Uint8Array([0, 0, 0, 20, ...new TextEncoder().encode('encv'), ...SINF])
const SINF_DATA = btoa(JSON.stringify({ sinf: [base64Of(SINF)] }))

/** Returns the data for the licence of a media with this manifest. The service has a certificate and the media. */
async function wanted(source: LicenceSource = SOURCE, manifest = MANIFEST, certificate = CERTIFICATE) {
  const data = await wantedLicence(source, { manifest, initSegment: '/init.mp4' }, async (address) =>
    address === '/init.mp4' ? INIT_SEGMENT : certificate,
  )
  if (data === null) throw new Error('The service issues the keys itself.')
  return data
}

/** A fake session of a decryption module (EME). The session requests a certificate first, and then the licence. */
class FakeSession extends EventTarget {
  sessionId = ''
  keyStatuses = new Map<string, string>()
  #answers = 0

  constructor() {
    super()
    requests.push('create')
  }
  async generateRequest(kind: string, data: Uint8Array) {
    requests.push(`${kind} ${btoa(String.fromCharCode(...data))}`)
    this.sessionId = 'session-1'
    this.#send([8, 4])
  }
  async update(answer: Uint8Array) {
    requests.push(`update ${answer.join()}`)
    this.#answers += 1
    if (this.#answers === 1) return this.#send([8, 1, 200])
    kept.add(this.sessionId)
    this.keyStatuses.set('key', 'usable')
    this.dispatchEvent(new Event('keystatuseschange'))
  }
  async load(id: string) {
    if (!looks) return await new Promise<boolean>(() => {})
    this.sessionId = id
    return kept.has(id)
  }
  async remove() {
    kept.delete(this.sessionId)
  }
  async close() {
    requests.push('close')
  }
  #send(bytes: number[]) {
    this.dispatchEvent(Object.assign(new Event('message'), { message: new Uint8Array(bytes).buffer }))
  }
}

const access = vi.fn<(system: string, wanted: MediaKeySystemConfiguration[]) => Promise<unknown>>()

beforeEach(() => {
  requests = []
  looks = true
  kept.clear()
  access.mockResolvedValue({
    createMediaKeys: async () => ({
      createSession: () => new FakeSession(),
      setServerCertificate: async (bytes: Uint8Array) => void requests.push(`certificate ${bytes.join()}`),
    }),
  })
  vi.stubGlobal('navigator', { requestMediaKeySystemAccess: access })
})
afterEach(() => vi.unstubAllGlobals())

test('A4.9-05 a licence of Widevine is ordered for the data of the manifest, and stays in the module', async () => {
  const challenges: string[] = []
  const data = await wanted({ ...SOURCE, robustness: 'HW_SECURE_ALL' })
  const licence = await keepLicence(data, async (challenge) => {
    challenges.push(challenge.join())
    return new Uint8Array([challenges.length])
  })
  expect(licence).toEqual({
    keySystem: 'com.widevine.alpha',
    sessionId: 'session-1',
    initData: PSSH,
    robustness: 'HW_SECURE_ALL',
  })
  expect(challenges).toEqual(['8,4', '8,1,200'])
  expect(requests).toEqual(['create', `cenc ${PSSH}`, 'update 1', 'update 2', 'close'])
  expect([...kept]).toEqual(['session-1'])
  const [asked] = access.mock.lastCall?.[1] ?? []
  expect(asked).toMatchObject({ persistentState: 'required', sessionTypes: ['persistent-license'] })
  expect(asked?.videoCapabilities?.[0]?.robustness).toBe('HW_SECURE_ALL')
})

test('A4.9-05 a licence of FairPlay is ordered with the certificate, for the data of the media', async () => {
  const licence = await keepLicence(await wanted(FAIR_PLAY), async () => new Uint8Array([1]))
  expect(licence).toEqual({
    keySystem: 'com.apple.fps',
    sessionId: 'session-1',
    initData: SINF_DATA,
    certificate: base64Of(CERTIFICATE),
  })
  expect(access.mock.lastCall).toMatchObject([
    'com.apple.fps',
    [{ initDataTypes: ['sinf'], persistentState: 'required', sessionTypes: ['persistent-license'] }],
  ])
  expect(requests.filter((each) => /^cert|^sinf/.test(each))).toEqual([
    'certificate 48,130',
    `sinf ${SINF_DATA}`,
  ])
  expect([...kept]).toEqual(['session-1'])
  await deleteLicence(licence)
  expect([...kept]).toEqual([])
})

test('A8.3-17 unsupported DRM type: a module that finds no stored licence orders none', async () => {
  vi.useFakeTimers()
  try {
    looks = false
    const order = vi.fn<(challenge: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>>()
    const refused = expect(keepLicence(await wanted(FAIR_PLAY), order)).rejects.toMatchObject({
      fault: 'unsupported DRM type',
    })
    await vi.advanceTimersByTimeAsync(5000)
    await refused
    expect(order).not.toHaveBeenCalled()
  } finally {
    vi.useRealTimers()
  }
})

test('Clear Key needs no licence of the decryption module', async () => {
  const clearKey = { ...SOURCE, provider: 'clearkey', keySystem: 'org.w3.clearkey' } as const
  expect(await wantedLicence(clearKey, { manifest: MANIFEST, initSegment: '' }, vi.fn())).toBeNull()
})

test('A8.3-14 a refused licence keeps nothing, and the refusal reaches the viewer', async () => {
  const refusal = new Error('refused')
  const data = await wanted()
  await expect(keepLicence(data, async () => await Promise.reject(refusal))).rejects.toBe(refusal)
  expect(requests).toContain('close')
  expect([...kept]).toEqual([])
})

test.each(['com.widevine.alpha', 'com.apple.fps'] as const)(
  'A8.3-17 unsupported DRM type: a browser that stores no licences of %s',
  async (keySystem) => {
    access.mockRejectedValue(new DOMException('', 'NotSupportedError'))
    const data = await wanted(keySystem === 'com.apple.fps' ? FAIR_PLAY : SOURCE)
    await expect(keepLicence(data, async (bytes) => new Uint8Array(bytes))).rejects.toMatchObject({
      name: 'DownloadSetupError',
      fault: 'unsupported DRM type',
    })
  },
)

test('A8.3-17 no licence parameter, and no application certificate data', async () => {
  await expect(wanted(SOURCE, '<MPD/>')).rejects.toMatchObject({ fault: 'no licence parameter' })
  await expect(wanted(FAIR_PLAY, MANIFEST, new Uint8Array())).rejects.toMatchObject({
    fault: 'no application certificate data',
  })
})

test('A4.9-05 a licence is deleted from the module, and one that is gone is deleted already', async () => {
  kept.add('session-1').add('session-2')
  const licence: KeptLicence = { keySystem: 'com.widevine.alpha', sessionId: 'session-1', initData: PSSH }
  await deleteLicence(licence)
  expect([...kept]).toEqual(['session-2'])
  await deleteLicence(licence)
  expect([...kept]).toEqual(['session-2'])
})
