import type { FastifyInstance } from 'fastify'
import type { Settings } from '../env.ts'

/**
 * Paths that open in the browser and not in the app, because a payment that began in the browser continues there.
 */
const NOT_IN_APP = ['/sandbox-payments/*']

/**
 * Registers the files that make links to this site open the native app: Android's digital asset links, and Apple's
 * association file for universal links. They name the apps of `ANDROID_APPS` and `IOS_APPS` (V1-13).
 */
export function registerAppLinks(
  app: FastifyInstance,
  { ANDROID_APPS, IOS_APPS }: Pick<Settings, 'ANDROID_APPS' | 'IOS_APPS'>,
): void {
  const files: Record<string, object | undefined> = {
    '/.well-known/assetlinks.json': ANDROID_APPS.length > 0 ? ANDROID_APPS.map(assetLink) : undefined,
    '/.well-known/apple-app-site-association': IOS_APPS.length > 0 ? association(IOS_APPS) : undefined,
  }
  for (const [path, file] of Object.entries(files)) {
    if (file === undefined) continue
    app.get(path, (_request, reply) => reply.header('cache-control', 'public, max-age=3600').send(file))
  }
}

function assetLink(app: string): object {
  const [name, fingerprint] = app.split('=')
  return {
    relation: ['delegate_permission/common.handle_all_urls'],
    target: { namespace: 'android_app', package_name: name, sha256_cert_fingerprints: [fingerprint] },
  }
}

function association(appIDs: readonly string[]): object {
  const excluded = NOT_IN_APP.map((path) => ({ '/': path, exclude: true }))
  return { applinks: { details: [{ appIDs, components: [...excluded, { '/': '/*' }] }] } }
}
