import type { OutputOf } from '@ondine/contract/operation'
import type { readAsset } from '@ondine/contract/playback'
import { CARRIERS } from '@ondine/server/http/principal'
import { type Catalogue, EMAIL, PASSWORD } from './catalogue.ts'

/** Signs in the catalogue's viewer. @returns request headers for pages and calls, as a browser would send them */
export async function signInViewer(
  origin: string,
  { tokens }: Pick<Catalogue, 'tokens'>,
): Promise<Record<string, string>> {
  const { header } = CARRIERS.storefront
  const storefront = { [header]: tokens[header] ?? '' }
  const answer = await send(`${origin}/oauth/token`, storefront, {
    username: EMAIL,
    password: PASSWORD,
    grant_type: 'password',
  })
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0])
  return { ...storefront, cookie: cookies.join('; ') }
}

/**
 * Plays the beginning of a film as a player would: requests a session, the manifest, the key and segments, and
 * sends a heartbeat.
 */
export async function playFilm(
  origin: string,
  viewer: Record<string, string>,
  { id, trackSet }: Catalogue['films'][number],
): Promise<void> {
  const { url, drm, session } = await call<OutputOf<typeof readAsset>>(origin, viewer, 'readAsset', {
    idAsset: String(id),
    idAudioLang: 'fra',
    idSubtitleLang: 'non',
  })
  const beat = async (event: string, position: number) =>
    await call(origin, viewer, 'heartbeat', { session, event, position: String(position) })
  await read(new URL(url, origin))
  await beat('start', 0)
  const keyId = trackSet.encryption?.keyId
  if (drm === null || keyId === undefined) throw new Error(`The film ${id} is not encrypted.`)
  const body = JSON.stringify({ kids: [Buffer.from(keyId, 'hex').toString('base64url')], type: 'temporary' })
  await read(new URL(drm.licenceUrl, origin), { method: 'POST', body })
  for (const [index, { id: rendition, kind }] of trackSet.renditions.entries()) {
    if (kind === 'text') continue
    for (const file of ['init.mp4', '1.m4s', '2.m4s'])
      await read(new URL(`/media/${trackSet.id}/${rendition}/${file}`, origin))
    await beat('progress', 4 * (index + 1))
  }
  await beat('close', 4 * trackSet.renditions.length)
}

async function call<Result>(
  origin: string,
  viewer: Record<string, string>,
  operation: string,
  fields: Record<string, string>,
): Promise<Result> {
  const answer = await send(`${origin}/proxy/${operation}`, viewer, { ...fields, languageId: 'fra' })
  // Every successful answer has this structure (V7-01).
  return ((await answer.json()) as { result: Result }).result
}

async function send(
  address: string,
  headers: Record<string, string>,
  fields: Record<string, string>,
): Promise<Response> {
  return await succeed(address, { method: 'POST', headers, body: new URLSearchParams(fields) })
}

async function read(address: URL, init: RequestInit = {}): Promise<void> {
  await (await succeed(address, init)).arrayBuffer()
}

/** Sends a request. @throws if the answer is not a success */
async function succeed(address: string | URL, init: RequestInit): Promise<Response> {
  const answer = await fetch(address, init)
  if (!answer.ok)
    throw new Error(`${address} answers ${answer.status}: ${(await answer.text()).slice(0, 200)}`)
  return answer
}
