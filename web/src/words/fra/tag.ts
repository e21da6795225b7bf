export const tag = {
  live: 'Direct',
  new: 'Nouveau',
  leaving: 'J – {{count}}',
  leavingLabel_one: 'Plus que {{count}} jour',
  leavingLabel_other: 'Plus que {{count}} jours',
  locked: 'Verrouillé',
  preparing: 'Bientôt · {{percent}} %',
  preparingLabel: 'En préparation, {{percent}} %',
  failed: 'Indisponible',
  adult: 'Réservé aux adultes',
}
