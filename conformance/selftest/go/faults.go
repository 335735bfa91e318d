package main

// faults are all planted deviations from the document.
func faults() []Planting {
	return join(
		authAcceptFaults(), authRefuseFaults(), authAnswerFaults(),
		createdFaults(), createdURLFaults(), createdWireFaults(), createEffectFaults(), createLoadFaults(),
		nameAcceptFaults(), nameRefuseFaults(), bodyFaults(), invalidAnswerFaults(), suggestionFaults(),
		conflictFaults(), conflictAnswerFaults(),
		columnFaults(), rowFaults(), rowTimingFaults(), csvFaults(), exportHTTPFaults(),
		nameCellFaults(), valueFaults(), statusFaults(), dateFaults(), stepFaults(), rateFaults(),
	)
}
