import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { deleteLicence, keepLicence } from './kept-licence.ts'

const PSSH = 'AAAAMHBzc2g='
const MANIFEST = `<ContentProtection schemeIdUri="urn:uuid:94ce86fb-07ff-4f43-adb8-93d2fa968ca2"><cenc:pssh>BBBB</cenc:pssh></ContentProtection>
<ContentProtection schemeIdUri="urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed"><cenc:pssh>${PSSH}</cenc:pssh></ContentProtection>`

/** Ids of the media key sessions whose licences the decryption module has stored. */
const kept = new Set<string>()
let requests: string[] = []

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
  kept.clear()
  access.mockResolvedValue({ createMediaKeys: async () => ({ createSession: () => new FakeSession() }) })
  vi.stubGlobal('navigator', { requestMediaKeySystemAccess: access })
})
afterEach(() => vi.unstubAllGlobals())

test('A4.9-05 a licence of Widevine is ordered for the data of the manifest, and stays in the module', async () => {
  const challenges: string[] = []
  const licence = await keepLicence(MANIFEST, 'HW_SECURE_ALL', async (challenge) => {
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
  const [wanted] = access.mock.lastCall?.[1] ?? []
  expect(wanted).toMatchObject({ persistentState: 'required', sessionTypes: ['persistent-license'] })
  expect(wanted?.videoCapabilities?.[0]?.robustness).toBe('HW_SECURE_ALL')
})

test('A8.3-14 a refused licence keeps nothing, and the refusal reaches the viewer', async () => {
  const refusal = new Error('refused')
  await expect(keepLicence(MANIFEST, undefined, async () => await Promise.reject(refusal))).rejects.toBe(
    refusal,
  )
  expect(requests).toContain('close')
  expect([...kept]).toEqual([])
})

test.each([
  [
    'unsupported DRM type',
    MANIFEST,
    async () => await Promise.reject(new DOMException('', 'NotSupportedError')),
  ],
  ['no licence parameter', '<MPD/>', undefined],
])('A8.3-17 %s', async (fault, manifest, answer) => {
  if (answer !== undefined) access.mockImplementation(answer)
  await expect(
    keepLicence(manifest, undefined, async (bytes) => new Uint8Array(bytes)),
  ).rejects.toMatchObject({
    name: 'DownloadSetupError',
    fault,
  })
})

test('A4.9-05 a licence is deleted from the module, and one that is gone is deleted already', async () => {
  kept.add('session-1').add('session-2')
  const licence = { keySystem: 'com.widevine.alpha', sessionId: 'session-1', initData: PSSH } as const
  await deleteLicence(licence)
  expect([...kept]).toEqual(['session-2'])
  await deleteLicence(licence)
  expect([...kept]).toEqual(['session-2'])
})
