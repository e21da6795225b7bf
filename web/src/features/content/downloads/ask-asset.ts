import { downloadAsset } from '@ondine/contract/downloads'
import type { OutputOf } from '@ondine/contract/operation'
import { call } from '../../../api/call.ts'
import { hasFairPlay, hasHardwareSecurity } from '../../ground/platform/decryption-module.ts'
import type { Download } from './download.ts'

/**
 * Asks the service for the data of a download. The service checks the viewer's right to the title, and stores
 * nothing.
 */
export async function askAsset(
  { assetId, languages, height }: Pick<Download, 'assetId' | 'languages' | 'height'>,
  parentalProof: string | undefined,
): Promise<OutputOf<typeof downloadAsset>> {
  return await call(downloadAsset, {
    idAsset: assetId,
    idAudioLang: languages.audio,
    idSubtitleLang: languages.subtitle,
    asUrl: undefined,
    height,
    hasHardwareSecurity: await hasHardwareSecurity('persistent-license'),
    hasFairPlay: await hasFairPlay(),
    parentalProof,
  })
}
