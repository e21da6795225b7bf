import { oauthToken } from '@ondine/contract/accounts'
import { encodeInput, fillPath } from '@ondine/contract/encode-input'
import type { InputOf, Operation, OutputOf } from '@ondine/contract/operation'
import { activateProfile, listProfiles } from '@ondine/contract/profiles'
import type { Person } from '../people.ts'
import { sharedService } from '../shared-service.ts'

/** A signed-in viewer: a demonstration account, the demonstration's child, or a person made by a test. */
export type Viewer = 'subscriber' | 'renter' | 'suspended' | 'child' | Person

const IDENTITY_KEY = { 'x-identity-key': 'demo' }

const signedIn = new Map<Viewer, Promise<string>>()

/** Returns a viewer's cookies. The first call signs the viewer in. */
export async function cookiesOf(viewer: Viewer): Promise<string> {
  const known = signedIn.get(viewer) ?? (viewer === 'child' ? signInChild() : signIn(viewer))
  signedIn.set(viewer, known)
  return await known
}

/** Makes a call as a viewer. */
export async function callAs<O extends Operation>(
  viewer: Viewer,
  operation: O,
  input: InputOf<O>,
): Promise<OutputOf<O>> {
  const response = await send(await cookiesOf(viewer), operation, input)
  const answer = (await response.json()) as { status: boolean; result: OutputOf<O> }
  if (!answer.status) throw new Error(`${operation.name} failed: ${JSON.stringify(answer)}`)
  return answer.result
}

async function signIn(viewer: Exclude<Viewer, 'child'>): Promise<string> {
  const { email, password } =
    typeof viewer === 'string' ? { email: `${viewer}@ondine.test`, password: 'Ondine-2026!' } : viewer
  const response = await fetch(sharedService().origin + oauthToken.path, {
    method: 'POST',
    headers: IDENTITY_KEY,
    body: new URLSearchParams({ username: email, password, grant_type: 'password' }),
  })
  if (!response.ok) throw new Error(`${email} cannot sign in: ${await response.text()}`)
  return withCookies('', response)
}

/** Signs in the holder of the child's account, and changes to the child's profile. */
async function signInChild(): Promise<string> {
  const holder = await signIn('subscriber')
  const profiles = await send(holder, listProfiles, {})
  const { result } = (await profiles.json()) as { result: OutputOf<typeof listProfiles> }
  const child = result.find(({ kidProfile }) => kidProfile)
  if (!child) throw new Error('The demonstration has no child.')
  return withCookies(holder, await send(holder, activateProfile, { idProfile: child.id }))
}

async function send<O extends Operation>(cookie: string, operation: O, input: InputOf<O>): Promise<Response> {
  const encoded = encodeInput(input)
  const fields = new URLSearchParams(encoded)
  const { method } = operation
  const address = new URL(fillPath(operation.path, encoded), sharedService().origin)
  if (method === 'GET') address.search = fields.toString()
  return await fetch(address, {
    method,
    headers: { ...IDENTITY_KEY, cookie },
    ...(method === 'GET' ? {} : { body: fields }),
  })
}

/** Adds the cookies that an answer sets to `cookies`. */
function withCookies(cookies: string, answer: Response): string {
  const all = new Map(cookies.split('; ').map((each) => [each.split('=')[0], each]))
  for (const set of answer.headers.getSetCookie()) all.set(set.split('=')[0], set.split(';')[0] ?? '')
  return [...all.values()].filter((each) => each !== '').join('; ')
}
