// jest takes no .mts here, but transpiles what this requires.
module.exports = require('./start.mts').default;
