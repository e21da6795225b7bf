import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import type { Settings } from '../../../env.ts'
import { AppStore } from './app-store.ts'
import { APPLE_ROOT } from './apple-root.ts'
import { GooglePlay } from './google-play.ts'

const serviceAccount = z.object({ client_email: z.string(), private_key: z.string() })

/**
 * Returns the reader of data that the App Store has signed; undefined if the settings of the App Store are
 * missing.
 */
export async function openAppStore(settings: Settings): Promise<AppStore | undefined> {
  const { APPLE_BUNDLE_ID: bundleId, APPLE_APP_ID: appId, APPLE_ROOT_CERTIFICATE: root } = settings
  if (bundleId === undefined || appId === undefined) return undefined
  return new AppStore({
    bundleId,
    appId,
    roots: [root === undefined ? Buffer.from(APPLE_ROOT) : await readFile(root)],
    environments: settings.APPLE_SANDBOX ? ['Production', 'Sandbox'] : ['Production'],
    checksRevocation: settings.APPLE_REVOCATION_CHECKS,
  })
}

/**
 * Returns the client of Google Play; undefined if the settings of Google Play are missing. @throws Error if the file of
 * the service account cannot be read
 */
export async function openGooglePlay(settings: Settings): Promise<GooglePlay | undefined> {
  const { GOOGLE_PACKAGE_NAME: packageName, GOOGLE_SERVICE_ACCOUNT: file } = settings
  const { GOOGLE_NOTICE_AUDIENCE: audience, GOOGLE_NOTICE_ACCOUNT: sender } = settings
  if (packageName === undefined || file === undefined) return undefined
  if (audience === undefined || sender === undefined) return undefined
  const { client_email: email, private_key: privateKey } = serviceAccount.parse(
    JSON.parse(await readFile(file, 'utf8')),
  )
  const notices = { audience, email: sender }
  return new GooglePlay({ packageName, email, privateKey, notices, base: settings.GOOGLE_API_BASE })
}
