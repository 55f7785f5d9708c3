// n8n reads the "n8n" block of package.json; this is for programs that require the built package from a checkout.
module.exports = {
	...require('./dist/credentials/ClientOnboardingApi.credentials.js'),
	...require('./dist/nodes/ClientOnboarding/ClientOnboarding.node.js'),
	...require('./dist/nodes/ClientOnboarding/ClientOnboardingTrigger.node.js'),
};
