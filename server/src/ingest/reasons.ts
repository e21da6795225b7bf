import type { BundledLanguage } from '@ondine/contract/languages'

/**
 * The closed list of reasons why a file was not ingested. Jobs store the code, and screens show the text. A
 * retired code is never reused.
 */
export const REASONS = {
  unreadable: text('Le fichier ne peut pas être lu.', 'The file cannot be read.'),
  notMedia: text(
    'Ce n’est pas un fichier vidéo d’un format connu.',
    'This is not a video file of a known format.',
  ),
  noPicture: text('Le fichier ne contient pas d’image.', 'The file has no picture.'),
  truncated: text(
    'Le fichier est incomplet : il manque la fin.',
    'The file is incomplete: its end is missing.',
  ),
  zeroDuration: text('La vidéo n’a pas de durée.', 'The video has no duration.'),
  tooLong: text('La vidéo dure plus de douze heures.', 'The video is longer than twelve hours.'),
  tooLarge: text(
    'L’image dépasse 8192 pixels de côté.',
    'The picture is larger than 8192 pixels on one side.',
  ),
  tooManyStreams: text('Le fichier contient trop de pistes.', 'The file has too many streams.'),
  unknownCodec: text(
    'Le codec de l’image n’est pas pris en charge.',
    'The picture’s codec is not supported.',
  ),
  unknownColour: text(
    'L’image est en Dolby Vision, sans version lisible sur tous les écrans.',
    'The picture is in Dolby Vision, with no version that every screen can show.',
  ),
  protected: text('Le fichier est chiffré.', 'The file is encrypted.'),
  diskFull: text('Le disque est plein.', 'The disk is full.'),
  tookTooLong: text('La préparation a dépassé le délai autorisé.', 'Preparing it took longer than allowed.'),
  tooMuchMemory: text(
    'La préparation a dépassé la mémoire autorisée.',
    'Preparing it needed more memory than allowed.',
  ),
  programMissing: text(
    'Il manque un programme nécessaire sur cette machine.',
    'A required program is missing from this machine.',
  ),
  encodingFailed: text('L’encodage a échoué.', 'Encoding failed.'),
  packagingFailed: text('L’empaquetage a échoué.', 'Packaging failed.'),
  notStored: text(
    'Le stockage des médias refuse les fichiers préparés.',
    'The media store refuses the prepared files.',
  ),
  storeAway: text('Le stockage des médias ne répond pas.', 'The media store does not answer.'),
  storeFull: text('Le stockage des médias est plein.', 'The media store is full.'),
  subtitleUnreadable: text(
    'Le fichier de sous-titres ne peut pas être lu.',
    'The subtitle file cannot be read.',
  ),
  subtitlePicture: text(
    'Ces sous-titres sont des images. Convertissez-les en un fichier .srt à côté de la vidéo.',
    'These subtitles are pictures. Convert them to an .srt file beside the video.',
  ),
  imageUnreadable: text('L’image ne peut pas être lue.', 'The picture cannot be read.'),
} as const

export type Reason = keyof typeof REASONS

function text(fra: string, eng: string): Record<BundledLanguage, string> {
  return { fra, eng }
}

/**
 * Thrown for a file that cannot be ingested. People see the text of `reason`. `message` has more details, for the
 * log.
 */
export class IngestError extends Error {
  override name = 'IngestError'
  readonly reason: Reason
  /** Details in English, for operators; may be empty. */
  readonly detail: string

  constructor(reason: Reason, detail: string, cause?: unknown) {
    super(`${REASONS[reason].eng} ${detail}`.trim(), { cause })
    this.reason = reason
    this.detail = detail
  }
}
