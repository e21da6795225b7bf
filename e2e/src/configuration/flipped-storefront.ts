import { beforeAll, beforeEach } from 'vitest'
import { Operator, runCommand } from '../operator.ts'
import { findAsset } from '../service-calls.ts'
import { sharedService } from '../shared-service.ts'

const VIEWER = { username: 'flip@ondine.test', password: 'Ondine-2026!' }

/** A separate storefront for the tests of a file. It keeps the changed fields from the tests of other files. */
export interface FlippedStorefront {
  origin: string
  apiKey: string
  operator: Operator
  /** Paths of pages, by the names that {@link Effect} `at` may have. */
  pages: Record<string, string>
  /** Cookies of a signed-in viewer. */
  signedIn: string
}

/** Makes a storefront for the tests of a file. Each test begins with the default configuration. */
export function flippedStorefront(): () => FlippedStorefront {
  let made: FlippedStorefront
  beforeAll(async () => {
    const { origin, dataDir } = sharedService()
    const apiKey = `flip-${Date.now()}`
    await runCommand(dataDir, 'storefronts create', [apiKey, 'Flip'])
    const { username, password } = VIEWER
    await runCommand(dataDir, 'accounts create', [username], { storefront: apiKey, password })
    const home = await (await fetch(origin)).text()
    const answer = await fetch(`${origin}/oauth/token`, {
      method: 'POST',
      headers: { 'x-identity-key': apiKey },
      body: new URLSearchParams({ ...VIEWER, grant_type: 'password' }),
    })
    made = {
      origin,
      apiKey,
      operator: await Operator.create(origin, dataDir, apiKey),
      pages: {
        film: (await findAsset(origin, 'La Houle')).detailRoute,
        // The file for applications.
        file: `/configuration/${apiKey}/data/settings.json`,
        category: /href="(\/category\/films-\d+)"/.exec(home)?.[1] ?? '',
      },
      signedIn: answer.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0])
        .join('; '),
    }
  })
  beforeEach(async () => await made.operator.replace({}))
  return () => made
}
