import { browserFiles } from './browser-files.ts'
import type { DownloadFiles } from './download-files.ts'

let files = browserFiles

/** Returns the storage for the files of this device's downloads. */
export function downloadFiles(): DownloadFiles {
  return files
}

/**
 * Sets the native app's storage for the files of downloads. The app calls this before it renders the first page.
 */
export function chooseFiles(ofApp: DownloadFiles): void {
  files = ofApp
}
