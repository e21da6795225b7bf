import { browserFiles } from './browser-files.ts'
import type { DownloadFiles } from './download-files.ts'

let files = browserFiles

/** Returns the files of all downloads of this device. */
export function downloadFiles(): DownloadFiles {
  return files
}

/** Makes the native app store downloads in files of its own. Called before the first page is rendered. */
export function chooseFiles(ofApp: DownloadFiles): void {
  files = ofApp
}
